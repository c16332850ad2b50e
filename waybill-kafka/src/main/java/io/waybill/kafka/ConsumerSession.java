package io.waybill.kafka;

import io.waybill.broker.Delivery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client from its creation to its end. Used by the {@link Poller}'s thread alone. */
final class ConsumerSession implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(3);

  /** How soon a lane goes on that was full or held. */
  private static final Duration SHORT = Duration.ofMillis(10);

  private static final Duration LONG = Duration.ofMillis(100);
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();

  private final KafkaSubscriberConfig config;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LaneTable lanes;
  private final Outlet outlet;
  private final TopicIds ids;
  private final Beginning beginning;
  private final Overreach overreach;
  private long lastCommit = System.nanoTime();
  private boolean committing;
  private int commitFailures;
  private boolean warned;

  ConsumerSession(
      KafkaSubscriberConfig config,
      KafkaConsumer<byte[], byte[]> consumer,
      LaneTable lanes,
      TopicIds ids,
      Outlet outlet) {
    this.config = config;
    this.consumer = consumer;
    this.lanes = lanes;
    this.outlet = outlet;
    this.ids = ids;
    this.beginning = new Beginning(config, consumer, lanes, InstantSource.system());
    this.overreach = new Overreach(consumer, ids);
  }

  void begin() {
    consumer.subscribe(config.topics(), this);
  }

  /**
   * One round.
   *
   * @return whether there is something to read from
   */
  boolean step() {
    beginAnew();
    goOnAtEnds();
    goBack();
    boolean halted = flow();
    if (!outlet.isStopped()) {
      outlet.deliver(lanes.givenBack());
    }
    commitIfDue();
    findEnds();
    outlet.deliver(lanes.accept(poll(halted ? SHORT : LONG)));
    return !consumer.assignment().isEmpty();
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration limit) {
    try {
      return consumer.poll(limit);
    } catch (NoOffsetForPartitionException e) {
      first(e.partitions());
      return ConsumerRecords.empty();
    } catch (OffsetOutOfRangeException e) {
      outOfRange(e);
      return ConsumerRecords.empty();
    }
  }

  /** Halts and resumes partitions; true if one is halted. */
  private boolean flow() {
    Set<TopicPartition> assigned = consumer.assignment();
    Set<TopicPartition> halted = new HashSet<>(outlet.isStopped() ? assigned : lanes.halted());
    halted.addAll(overreach.waiting());
    halted.retainAll(assigned);
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> toResume = new HashSet<>(paused);
    toResume.removeAll(halted);
    if (!toResume.isEmpty()) {
      consumer.resume(toResume);
    }
    if (!paused.containsAll(halted)) {
      consumer.pause(halted);
    }
    return !halted.isEmpty();
  }

  /** Finds out how far partitions reached when their assignment began. */
  private void findEnds() {
    for (TopicPartition partition : lanes.withoutEnd()) {
      OptionalLong lag = lag(partition);
      if (lag.isPresent()) {
        lanes.end(partition, consumer.position(partition, COMMIT_LIMIT) + lag.getAsLong());
      }
    }
  }

  private OptionalLong lag(TopicPartition partition) {
    try {
      return consumer.currentLag(partition);
    } catch (IllegalStateException e) {
      LOG.debug("{} has just left", partition, e);
      return OptionalLong.empty();
    }
  }

  /** How far each lane is behind. */
  Map<String, Long> lags() {
    Map<String, Long> lags = new HashMap<>();
    for (TopicPartition partition : consumer.assignment()) {
      lag(partition)
          .ifPresent(lag -> lags.put(partition.topic() + "-" + partition.partition(), lag));
    }
    return lags;
  }

  private void commitIfDue() {
    boolean due = System.nanoTime() - lastCommit >= untilCommit();
    if (committing || !(due || lanes.isPressing())) {
      return;
    }
    Map<TopicPartition, Lane.Mark> marks = lanes.marks(lanes.partitions());
    lastCommit = System.nanoTime();
    if (marks.isEmpty()) {
      return;
    }
    committing = true;
    consumer.commitAsync(
        offsets(marks),
        (offsets, failure) -> {
          committing = false;
          if (failure == null) {
            succeeded();
            lanes.committed(marks.values());
          } else {
            failed(failure);
          }
        });
  }

  /** Lanes that have not begun do not wait for the interval, but longer after each failure. */
  private long untilCommit() {
    long interval = config.commitInterval().toNanos();
    return lanes.isBeginning()
        ? Math.min(interval, FIRST_PAUSE_NANOS << Math.min(commitFailures, 8))
        : interval;
  }

  private void succeeded() {
    commitFailures = 0;
    warned = false;
  }

  private void failed(Exception why) {
    commitFailures++;
    if (warned || why instanceof RebalanceInProgressException) {
      LOG.debug("Group {}: a commit failed; the next one repeats it", config.groupId(), why);
    } else {
      warned = true;
      LOG.warn(
          "Group {}: its position could not be committed ({}). The next attempt follows within {}"
              + " ms; until it succeeds a restart may repeat messages, and the group does not read"
              + " partitions in which it is new.",
          config.groupId(),
          why.toString(),
          config.commitInterval().toMillis());
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(
      Map<TopicPartition, Lane.Mark> marks) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    marks.forEach((partition, mark) -> offsets.put(partition, mark.committed()));
    return offsets;
  }

  /** Commits what is acknowledged and waits for the answer. */
  private void commitNow(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Lane.Mark> marks = lanes.marks(partitions);
    if (marks.isEmpty()) {
      return;
    }
    try {
      commitSync(marks);
      lanes.committed(marks.values());
    } catch (KafkaException e) {
      LOG.warn(
          "Group {}: the position in {} could not be committed before the partitions left ({})."
              + " Messages acknowledged since the last commit are delivered again.",
          config.groupId(),
          lanes.names(partitions),
          e.toString());
    }
  }

  private void commitSync(Map<TopicPartition, Lane.Mark> marks) {
    try {
      consumer.commitSync(offsets(marks), COMMIT_LIMIT);
    } catch (WakeupException closing) {
      consumer.commitSync(offsets(marks), COMMIT_LIMIT);
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    lanes.assign(partitions);
    if (!partitions.isEmpty()) {
      LOG.info("Group {}: assigned {}", config.groupId(), lanes.names(partitions));
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    overreach.forget(partitions);
    Set<String> names = lanes.names(partitions);
    if (names.isEmpty()) {
      return;
    }
    long start = System.nanoTime();
    outlet.revoked(names, false);
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (millis > config.revocationLimit().toMillis()) {
      LOG.warn(
          "Group {}: releasing {} took {} ms, more than revocationLimit allows ({} ms). After"
              + " max.poll.interval.ms the group loses the partitions and all uncommitted"
              + " positions.",
          config.groupId(),
          names,
          millis,
          config.revocationLimit().toMillis());
    }
    commitNow(partitions);
    lanes.remove(partitions);
    LOG.info("Group {}: released {}", config.groupId(), names);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    overreach.forget(partitions);
    Set<String> names = lanes.remove(partitions);
    if (!names.isEmpty()) {
      LOG.warn(
          "Group {}: lost {}. Their next owner gets the uncommitted messages again.",
          config.groupId(),
          names);
      outlet.revoked(names, true);
    }
  }

  /** Begins where the broker has no position for the group. */
  void first(Collection<TopicPartition> without) {
    // A client whose broker is slow says it once more of what has begun: there it goes on.
    Map<TopicPartition, Long> begun = lanes.begun(without);
    begun.forEach((partition, next) -> consumer.seek(partition, next.longValue()));
    Set<TopicPartition> partitions = new HashSet<>(without);
    partitions.removeAll(begun.keySet());
    if (partitions.isEmpty()) {
      return;
    }
    if (config.start() == KafkaSubscriberConfig.Start.REFUSE) {
      throw new KafkaException(
          "group "
              + config.groupId()
              + " has no position in "
              + partitions
              + ", and start is REFUSE");
    }
    for (Beginning.Place place : beginning.places(partitions)) {
      begin(place.offsets(), Map.of(), true, place.note());
    }
    commitStart(partitions);
  }

  /** Goes on where the broker has no message at the group's position. */
  private void outOfRange(OffsetOutOfRangeException why) {
    Map<TopicPartition, Long> deleted = overreach.found(why, beginning.oldest(why.partitions()));
    if (!deleted.isEmpty()) {
      LOG.warn(
          "Group {}: the broker deleted messages in {} before they were read. The group continues"
              + " with the oldest remaining message.",
          config.groupId(),
          deleted.keySet());
      restart(deleted, why.offsetOutOfRangePartitions(), false);
    }
  }

  /** What was read under the name of a topic that was made anew says nothing of the new one. */
  private void beginAnew() {
    Set<String> topics = ids.madeAnew();
    if (topics.isEmpty() || consumer.assignment().isEmpty()) {
      return;
    }
    Set<TopicPartition> partitions = lanes.partitions();
    partitions.removeIf(partition -> !topics.contains(partition.topic()));
    if (!partitions.isEmpty()) {
      LOG.warn(
          "Group {}: {} were deleted and created again. The group begins with the oldest message in"
              + " {}; messages that it has already read from the new topics come again.",
          config.groupId(),
          topics,
          partitions);
      restart(beginning.oldest(partitions));
    }
    ids.met(topics);
  }

  /** Goes on in logs that lost their end. */
  private void goOnAtEnds() {
    Map<TopicPartition, Overreach.Gap> sure = overreach.sure();
    if (sure.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    sure.forEach(
        (partition, gap) -> {
          LOG.warn(
              "Group {}: its position {} in {} is no longer in the log, and it continues at {}: the"
                  + " broker lost messages there, or the position was set by hand.",
              config.groupId(),
              gap.position(),
              partition,
              gap.end());
          ends.put(partition, gap.end());
        });
    restart(ends);
  }

  /** Reads again what the listener has to get once more. */
  private void goBack() {
    goBack(lanes.rewinds(true), false);
    goBack(lanes.rewinds(false), true);
  }

  private void goBack(Map<TopicPartition, Long> offsets, boolean beyondSuspects) {
    if (!offsets.isEmpty()) {
      LOG.warn("Group {}: reads again from {}", config.groupId(), offsets);
      restart(offsets, Map.of(), beyondSuspects);
    }
  }

  /** Whatever is out is nobody's any more. */
  private void restart(Map<TopicPartition, Long> offsets) {
    restart(offsets, Map.of(), false);
  }

  private void restart(
      Map<TopicPartition, Long> offsets, Map<TopicPartition, Long> asked, boolean unsuspected) {
    onPartitionsLost(offsets.keySet());
    lanes.assign(offsets.keySet());
    begin(offsets, asked, unsuspected, "");
    commitStart(offsets.keySet());
  }

  private void begin(
      Map<TopicPartition, Long> offsets,
      Map<TopicPartition, Long> asked,
      boolean isFirst,
      String note) {
    offsets.forEach(
        (partition, offset) -> {
          consumer.seek(partition, offset);
          lanes.begin(partition, offset, asked.getOrDefault(partition, offset), isFirst, note);
        });
  }

  /** Tells the broker where the group begins; the partitions stand still until it knows. */
  private void commitStart(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Lane.Mark> marks = lanes.marks(partitions);
    try {
      commitSync(marks);
      lanes.committed(marks.values());
    } catch (KafkaException e) {
      failed(e);
    }
  }

  /** Commits and leaves the group. */
  void end() {
    Set<TopicPartition> all = lanes.partitions();
    try {
      commitNow(all);
    } finally {
      Set<String> names = lanes.remove(all);
      if (!names.isEmpty()) {
        outlet.revoked(names, true);
      }
    }
  }

  /** What the thread of a subscriber tells its listener. */
  interface Outlet {
    boolean isStopped();

    void deliver(List<Delivery> deliveries);

    void revoked(Set<String> names, boolean lost);
  }
}

package io.waybill.kafka.internal.consume;

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
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client from its creation to its end. Used by the {@link Poller}'s thread alone. */
final class ConsumerSession implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);

  /** How soon a lane goes on that was full or held. */
  private static final Duration SHORT = Duration.ofMillis(10);

  private static final Duration LONG = Duration.ofMillis(100);

  private final ReadSettings settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LaneTable lanes;
  private final Outlet outlet;
  private final TopicIds ids;
  private final PositionCommits commits;
  private final Beginning beginning;
  private final Overreach overreach;

  ConsumerSession(
      ReadSettings settings,
      KafkaConsumer<byte[], byte[]> consumer,
      LaneTable lanes,
      TopicIds ids,
      Outlet outlet) {
    this.settings = settings;
    this.consumer = consumer;
    this.lanes = lanes;
    this.outlet = outlet;
    this.ids = ids;
    this.commits = new PositionCommits(settings, consumer, lanes);
    this.beginning = new Beginning(settings, consumer, lanes, InstantSource.system());
    this.overreach = new Overreach(consumer, ids);
  }

  void begin() {
    consumer.subscribe(settings.topics(), this);
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
    commits.commitIfDue();
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
        lanes.end(partition, consumer.position(partition, PositionCommits.LIMIT) + lag.getAsLong());
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

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    lanes.assign(partitions);
    if (!partitions.isEmpty()) {
      LOG.info("Group {}: assigned {}", settings.groupId(), lanes.names(partitions));
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
    if (millis > settings.revocationLimit().toMillis()) {
      LOG.warn(
          "Group {}: releasing {} took {} ms, more than revocationLimit allows ({} ms). After"
              + " max.poll.interval.ms the group loses the partitions and all uncommitted"
              + " positions.",
          settings.groupId(),
          names,
          millis,
          settings.revocationLimit().toMillis());
    }
    commits.commitNow(partitions);
    lanes.remove(partitions);
    LOG.info("Group {}: released {}", settings.groupId(), names);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    overreach.forget(partitions);
    Set<String> names = lanes.remove(partitions);
    if (!names.isEmpty()) {
      LOG.warn(
          "Group {}: lost {}. Their next owner gets the uncommitted messages again.",
          settings.groupId(),
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
    if (settings.refuses()) {
      throw new KafkaException(
          "group "
              + settings.groupId()
              + " has no position in "
              + partitions
              + ", and start is REFUSE");
    }
    for (Beginning.Place place : beginning.places(partitions)) {
      begin(place.offsets(), Map.of(), true, place.note());
    }
    commits.commitStart(partitions);
  }

  /** Goes on where the broker has no message at the group's position. */
  private void outOfRange(OffsetOutOfRangeException why) {
    Map<TopicPartition, Long> deleted = overreach.found(why, beginning.oldest(why.partitions()));
    if (!deleted.isEmpty()) {
      LOG.warn(
          "Group {}: the broker deleted messages in {} before they were read. The group continues"
              + " with the oldest remaining message.",
          settings.groupId(),
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
          settings.groupId(),
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
              settings.groupId(),
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
      LOG.warn("Group {}: reads again from {}", settings.groupId(), offsets);
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
    commits.commitStart(offsets.keySet());
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

  /** Commits and leaves the group. */
  void end() {
    Set<TopicPartition> all = lanes.partitions();
    try {
      commits.commitNow(all);
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

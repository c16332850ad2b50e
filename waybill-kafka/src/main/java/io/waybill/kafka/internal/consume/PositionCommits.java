package io.waybill.kafka.internal.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the positions of one session's lanes: at intervals, before partitions leave, and where
 * the group begins. Used by the {@link Poller}'s thread alone.
 */
final class PositionCommits {
  static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(PositionCommits.class);
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();

  private final ReadSettings settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LaneTable lanes;
  private long lastCommit = System.nanoTime();
  private boolean committing;
  private int failures;
  private boolean warned;

  PositionCommits(ReadSettings settings, KafkaConsumer<byte[], byte[]> consumer, LaneTable lanes) {
    this.settings = settings;
    this.consumer = consumer;
    this.lanes = lanes;
  }

  /** Commits what is acknowledged once it is time, or a window is about to be full. */
  void commitIfDue() {
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
    long interval = settings.commitInterval().toNanos();
    return lanes.isBeginning()
        ? Math.min(interval, FIRST_PAUSE_NANOS << Math.min(failures, 8))
        : interval;
  }

  private void succeeded() {
    failures = 0;
    warned = false;
  }

  private void failed(Exception why) {
    failures++;
    if (warned || why instanceof RebalanceInProgressException) {
      LOG.debug("Group {}: a commit failed; the next one repeats it", settings.groupId(), why);
    } else {
      warned = true;
      LOG.warn(
          "Group {}: its position could not be committed ({}). The next attempt follows within {}"
              + " ms; until it succeeds a restart may repeat messages, and the group does not read"
              + " partitions in which it is new.",
          settings.groupId(),
          why.toString(),
          settings.commitInterval().toMillis());
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(
      Map<TopicPartition, Lane.Mark> marks) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    marks.forEach((partition, mark) -> offsets.put(partition, mark.committed()));
    return offsets;
  }

  /** Commits what is acknowledged and waits for the answer. */
  void commitNow(Collection<TopicPartition> partitions) {
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
          settings.groupId(),
          lanes.names(partitions),
          e.toString());
    }
  }

  private void commitSync(Map<TopicPartition, Lane.Mark> marks) {
    try {
      consumer.commitSync(offsets(marks), LIMIT);
    } catch (WakeupException closing) {
      consumer.commitSync(offsets(marks), LIMIT);
    }
  }

  /** Tells the broker where the group begins; the partitions stand still until it knows. */
  void commitStart(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Lane.Mark> marks = lanes.marks(partitions);
    try {
      commitSync(marks);
      lanes.committed(marks.values());
    } catch (KafkaException e) {
      failed(e);
    }
  }
}

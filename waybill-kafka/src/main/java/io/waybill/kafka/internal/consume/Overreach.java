package io.waybill.kafka.internal.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Positions that the log does not reach. Either the log lost its end, and reading goes on where it
 * diverged; or the topic was made anew, and reading begins with its oldest message. Which of them
 * it is tells the topic's id, asked for after the position was found wrong; until then the
 * partition stands still. Used by the {@link Poller}'s thread alone.
 */
final class Overreach {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /**
   * A position that the log does not reach.
   *
   * @param position the position
   * @param end where the log diverged, or its end when that was found
   * @param found monotonic time in nanoseconds
   */
  record Gap(long position, long end, long found) {}

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicIds ids;
  private final Map<TopicPartition, Gap> waiting = new HashMap<>();

  Overreach(KafkaConsumer<byte[], byte[]> consumer, TopicIds ids) {
    this.consumer = consumer;
    this.ids = ids;
  }

  /**
   * Takes in what the client says.
   *
   * @param beginnings offsets of the oldest messages
   * @return the partitions of which messages were deleted before they were read
   */
  Map<TopicPartition, Long> found(
      OffsetOutOfRangeException why, Map<TopicPartition, Long> beginnings) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(why.partitions(), LIMIT);
    Map<TopicPartition, OffsetAndMetadata> divergent =
        why instanceof LogTruncationException cut ? cut.divergentOffsets() : Map.of();
    Map<TopicPartition, Long> deleted = new HashMap<>();
    why.offsetOutOfRangePartitions()
        .forEach(
            (partition, position) -> {
              long oldest = beginnings.getOrDefault(partition, 0L);
              OffsetAndMetadata place = divergent.get(partition);
              if (position < oldest) {
                deleted.put(partition, oldest);
              } else {
                long end = place == null ? ends.getOrDefault(partition, position) : place.offset();
                long goesOn = Math.max(oldest, Math.min(end, position));
                waiting.putIfAbsent(partition, new Gap(position, goesOn, System.nanoTime()));
              }
            });
    return deleted;
  }

  /** Those that stand still. */
  Set<TopicPartition> waiting() {
    return waiting.keySet();
  }

  void forget(Collection<TopicPartition> partitions) {
    waiting.keySet().removeAll(partitions);
  }

  /** Those of which it is sure by now that it is the same topic. */
  Map<TopicPartition, Gap> sure() {
    Map<TopicPartition, Gap> sure = new HashMap<>();
    waiting.forEach(
        (partition, gap) -> {
          if (ids.isSameSince(partition.topic(), gap.found)) {
            sure.put(partition, gap);
          }
        });
    return sure;
  }
}

package io.waybill.kafka;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the partition of a message by its key, unless its route names one. {@link
 * StandardPartitioner} has those of the common clients.
 *
 * <p>Consumers see the events of a key in order as long as all of them are in one partition. So the
 * same key and number of partitions must always give the same partition, in each process and
 * release. Thread-safe.
 */
@FunctionalInterface
public interface KeyPartitioner {
  /** Leaves the choice to the client, which spreads messages; only for messages without a key. */
  int SPREAD = -1;

  /**
   * Chooses a partition. If this throws or returns an invalid partition, the message is rejected
   * with the reason {@code invalid-record}.
   *
   * @param key bytes of the key, possibly none; null for a message without key
   * @param partitions number of partitions of the topic, at least 1
   * @return 0 to {@code partitions - 1}, or {@link #SPREAD} when {@code key} is null
   */
  int partition(byte @Nullable [] key, int partitions);
}

package io.waybill.kafka;

import io.waybill.broker.Outgoing;
import io.waybill.kafka.internal.send.SendSettings;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.InvalidRecordException;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a message. Thread-safe.
 *
 * @param partitioner asked where the route names none
 */
record Partitioning(KeyPartitioner partitioner) implements SendSettings.Partitions {
  /**
   * {@inheritDoc}
   *
   * @throws InvalidRecordException if the partitioner fails, or chooses what is no partition
   */
  @Override
  public @Nullable Integer of(Outgoing message, Producer<byte[], byte[]> client) {
    Integer named = message.destination().partition();
    if (named != null || partitioner == StandardPartitioner.MURMUR2_RANDOM) {
      // The client's own is the same, and needs no look at the topic for each message.
      return named;
    }
    int partitions = client.partitionsFor(message.destination().target()).size();
    int chosen = chosen(message.key(), partitions);
    if (chosen == KeyPartitioner.SPREAD && message.key() == null) {
      return null;
    }
    if (chosen < 0 || chosen >= partitions) {
      throw new InvalidRecordException(
          "partition: must be 0 to %d, and partitioner %s chose %d"
              .formatted(partitions - 1, partitioner, chosen));
    }
    return chosen;
  }

  private int chosen(byte @Nullable [] key, int partitions) {
    try {
      return partitioner.partition(key, partitions);
    } catch (RuntimeException e) {
      throw new InvalidRecordException("partitioner " + partitioner + " failed: " + e, e);
    }
  }
}

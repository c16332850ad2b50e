package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import java.time.Duration;
import java.util.function.Function;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * What sending has to know of a publisher's configuration.
 *
 * @param servers the brokers, as logs and reports name them
 * @param deliveryTimeout how long the client may take for a send
 * @param idle how long a topic may lie idle before the client may have forgotten it
 * @param compression the client's {@code compression.type}
 * @param batches how large its batches are
 * @param partitions chooses the partition of a message
 * @param newTopic describes a missing topic that is to be created; null when none is
 */
public record SendSettings(
    String servers,
    Duration deliveryTimeout,
    Duration idle,
    String compression,
    Batches batches,
    Partitions partitions,
    @Nullable Function<String, NewTopic> newTopic) {

  /** The size of batches, which a client sets aside for each partition in use. */
  @FunctionalInterface
  public interface Batches {
    /**
     * The largest batch of a client.
     *
     * @param partitions how many are in use
     * @param forSuspects whether the client is that of the suspect topics
     */
    int bytes(long partitions, boolean forSuspects);
  }

  /** The choice of a partition. Thread-safe. */
  @FunctionalInterface
  public interface Partitions {
    /**
     * The partition, among as many as the client knows of.
     *
     * @param client one that knows the topic; else it throws its exceptions
     * @return null to leave the choice to the client
     */
    @Nullable Integer of(Outgoing message, Producer<byte[], byte[]> client);
  }
}

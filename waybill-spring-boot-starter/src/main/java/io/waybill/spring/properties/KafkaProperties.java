package io.waybill.spring.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Kafka, where it is to differ from {@code spring.kafka}.
 *
 * @param bootstrapServers brokers for the first connection, host:port
 * @param requestTimeout bound on one request
 * @param deliveryTimeout longest time between a send and its outcome
 * @param createTopics how missing topics are created; without it they are not
 * @param partitioner chooses the partition of a key where the route names none
 * @param sslBundle name of an SSL bundle
 * @param properties properties of producer and consumer, from an allow-list
 * @param allowPlaintextPasswords whether a password or a token may go to another machine in
 *     plaintext; default: false, true where address and login are those of spring.kafka
 */
public record KafkaProperties(
    @Nullable List<String> bootstrapServers,
    @DefaultValue("5s") Duration requestTimeout,
    @DefaultValue("10s") Duration deliveryTimeout,
    @Nullable CreateTopics createTopics,
    @DefaultValue("murmur2-random") Partitioner partitioner,
    @Nullable String sslBundle,
    @DefaultValue Map<String, String> properties,
    @Nullable Boolean allowPlaintextPasswords) {
  /** Partitioners of the common clients; a bean of type {@code KeyPartitioner} comes first. */
  public enum Partitioner {
    /** Java's client and KafkaJS. */
    MURMUR2_RANDOM,
    /** The same; messages without a key go to one partition. */
    MURMUR2,
    /** librdkafka's default, CRC-32. */
    CONSISTENT_RANDOM,
    /** The same; messages without a key go to one partition. */
    CONSISTENT,
    /** Sarama's default, FNV-1a. */
    FNV1A_RANDOM,
    /** The same; messages without a key go to one partition. */
    FNV1A
  }

  /**
   * How missing topics are created.
   *
   * @param partitions number of partitions
   * @param replicationFactor number of replicas
   */
  public record CreateTopics(
      @DefaultValue("12") int partitions, @DefaultValue("3") int replicationFactor) {}
}

package io.waybill.server.config;

import io.waybill.kafka.StandardPartitioner;
import io.waybill.message.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kafka.
 *
 * @param bootstrapServers brokers to ask first, host:port
 * @param requestTimeout bound on one request
 * @param deliveryTimeout bound on one send with the client's own retries
 * @param createTopics how missing topics are created, null to create none
 * @param partitioner chooses the partition by the key where the route names none
 * @param tls TLS, null for plaintext
 * @param sasl login, null for none
 * @param properties further producer properties, all of them allowed ones
 */
public record KafkaConfig(
    List<String> bootstrapServers,
    Duration requestTimeout,
    Duration deliveryTimeout,
    @Nullable CreateTopics createTopics,
    StandardPartitioner partitioner,
    @Nullable TlsConfig tls,
    @Nullable Sasl sasl,
    Map<String, String> properties)
    implements BrokerConfig {
  /** Copies the collections. */
  public KafkaConfig {
    bootstrapServers = List.copyOf(bootstrapServers);
    properties = Map.copyOf(properties);
  }

  /**
   * How missing topics are created.
   *
   * @param partitions number of partitions
   * @param replicationFactor number of replicas
   */
  public record CreateTopics(int partitions, int replicationFactor) {}

  /**
   * A login.
   *
   * @param mechanism how to log in
   * @param user user name
   * @param password password
   */
  public record Sasl(Mechanism mechanism, String user, Secret password) {}

  /** Ways to log in; all of them user and password. */
  public enum Mechanism {
    /** In clear text: only over TLS. */
    PLAIN,
    /** Salted challenge and response with SHA-256. */
    SCRAM_SHA_256,
    /** Salted challenge and response with SHA-512. */
    SCRAM_SHA_512
  }

  @Override
  public Transport transport() {
    return Transport.KAFKA;
  }
}

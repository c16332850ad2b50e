package io.waybill.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Kafka, where it is to differ from {@code spring.kafka}.
 *
 * @param bootstrapServers brokers to ask first, host:port
 * @param requestTimeout bound on one request
 * @param deliveryTimeout longest time between a send and its outcome
 * @param createTopics how missing topics are created; without it they are not
 * @param sslBundle name of an SSL bundle
 * @param properties properties of producer and consumer, by allow-list
 */
public record KafkaProperties(
    @Nullable List<String> bootstrapServers,
    @DefaultValue("5s") Duration requestTimeout,
    @DefaultValue("10s") Duration deliveryTimeout,
    @Nullable CreateTopics createTopics,
    @Nullable String sslBundle,
    @DefaultValue Map<String, String> properties) {
  /**
   * How missing topics are created.
   *
   * @param partitions number of partitions
   * @param replicationFactor number of replicas
   */
  public record CreateTopics(
      @DefaultValue("12") int partitions, @DefaultValue("3") int replicationFactor) {}
}

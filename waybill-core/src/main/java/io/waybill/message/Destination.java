package io.waybill.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a message goes.
 *
 * @param target Kafka topic or RabbitMQ exchange (the empty string is RabbitMQ's default exchange)
 * @param routingKey RabbitMQ routing key; empty on Kafka
 * @param partition explicit Kafka partition, or null for the key's own
 * @param timestamp the time of a Kafka record; ignored on RabbitMQ
 */
public record Destination(
    String target, String routingKey, @Nullable Integer partition, RecordTime timestamp) {
  /** Checks that everything except the partition is given. */
  public Destination {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(routingKey, "routingKey");
    Objects.requireNonNull(timestamp, "timestamp");
  }

  /**
   * Creates a destination whose records carry the time of their send.
   *
   * @param target Kafka topic or RabbitMQ exchange
   * @param routingKey RabbitMQ routing key; empty on Kafka
   * @param partition explicit Kafka partition, or null for the key's own
   */
  public Destination(String target, String routingKey, @Nullable Integer partition) {
    this(target, routingKey, partition, RecordTime.SENT);
  }

  /**
   * Creates the destination for a Kafka topic.
   *
   * @param topic topic name
   * @return the destination, partitioned by key
   */
  public static Destination topic(String topic) {
    return new Destination(topic, "", null);
  }

  /**
   * Creates the destination for a RabbitMQ exchange and routing key.
   *
   * @param exchange exchange name, empty for the default exchange
   * @param routingKey routing key
   * @return the destination
   */
  public static Destination exchange(String exchange, String routingKey) {
    return new Destination(exchange, routingKey, null);
  }

  /**
   * The name of the destination in pauses, circuit breakers and metrics: the topic, or {@code
   * exchange/routingKey}.
   *
   * @return name, unique within one broker
   */
  public String name() {
    return routingKey.isEmpty() ? target : target + "/" + routingKey;
  }
}

package io.waybill.message;

import java.util.Objects;

/** Where a message lies in its topic, or by which way it came to its queue. Immutable. */
public sealed interface Place {
  /**
   * In a partition of Kafka.
   *
   * @param partition number of the partition, from 0
   * @param offset offset in it, from 0
   */
  record Offset(int partition, long offset) implements Place {}

  /**
   * Through an exchange of RabbitMQ.
   *
   * @param exchange name of the exchange, empty for the default one
   * @param routingKey routing key, may be empty
   */
  record Route(String exchange, String routingKey) implements Place {
    /** Checks that both are given. */
    public Route {
      Objects.requireNonNull(exchange, "exchange");
      Objects.requireNonNull(routingKey, "routingKey");
    }
  }
}

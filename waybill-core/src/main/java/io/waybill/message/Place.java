package io.waybill.message;

import java.util.Objects;

/**
 * The position of a message in its topic, or the route by which it came to its queue. Immutable.
 */
public sealed interface Place {
  /**
   * A position in a Kafka partition.
   *
   * @param partition number of the partition, from 0
   * @param offset offset in it, from 0
   */
  record Offset(int partition, long offset) implements Place {}

  /**
   * A route through a RabbitMQ exchange.
   *
   * @param exchange name of the exchange, empty for the default exchange
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

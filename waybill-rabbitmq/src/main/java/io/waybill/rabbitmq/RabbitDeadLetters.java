package io.waybill.rabbitmq;

import io.waybill.encode.DeadLetter;
import io.waybill.message.Destination;
import java.util.Collection;

/**
 * Where dead letters go: through one direct exchange into {@code <queue>.dlt}, a durable quorum
 * queue for each. Declared and checked with {@link RabbitChecks}.
 *
 * @param exchange name of the exchange, not empty
 */
public record RabbitDeadLetters(String exchange) {
  /** Checks the name. */
  public RabbitDeadLetters {
    if (exchange.isEmpty() || exchange.length() > 255) {
      throw new IllegalArgumentException(
          "dead-letter exchange must have 1 to 255 characters, is '" + exchange + "'");
    }
  }

  /**
   * The exchange {@code waybill.dlt}.
   *
   * @return the default
   */
  public static RabbitDeadLetters ofDefaults() {
    return new RabbitDeadLetters("waybill.dlt");
  }

  /**
   * The queue for the dead letters of another one.
   *
   * @param queue the queue that they come from
   * @return its name
   */
  public static String queueOf(String queue) {
    return DeadLetter.nameOf(queue);
  }

  /**
   * Where to publish the dead letters of a queue.
   *
   * @param queue the queue that they come from
   * @return exchange and routing key
   */
  public Destination of(String queue) {
    return Destination.exchange(exchange, queue);
  }

  /**
   * What has to be there.
   *
   * @param queues queues whose dead letters are meant
   * @return exchange, queues and bindings
   */
  public RabbitTopology topology(Collection<String> queues) {
    RabbitTopology.Builder topology = RabbitTopology.builder();
    topology.exchange(exchange, RabbitTopology.ExchangeType.DIRECT);
    for (String queue : queues) {
      topology.letterQueue(queueOf(queue)).bind(exchange, queueOf(queue), queue);
    }
    return topology.build();
  }
}

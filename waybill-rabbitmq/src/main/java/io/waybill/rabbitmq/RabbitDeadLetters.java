package io.waybill.rabbitmq;

import io.waybill.encode.DeadLetter;
import io.waybill.message.Destination;
import java.util.Collection;

/**
 * Where dead letters go: through one direct exchange into {@code <queue>.dlt}, a durable quorum
 * queue for each. {@link #of} is what an inbox takes for its {@code deadLetters}. Declared and
 * checked with {@link RabbitChecks}.
 *
 * @param exchange name of the exchange, not empty
 * @param routingKey routing key of a letter, in which {@link #QUEUE} stands for the name of the
 *     queue that it comes from; without it letters of all queues would lie in each
 */
public record RabbitDeadLetters(String exchange, String routingKey) {
  /** Stands for the name of a queue in a routing key. */
  public static final String QUEUE = "{queue}";

  private static final int MAX_LENGTH = 255;

  /** Checks both. */
  public RabbitDeadLetters {
    if (exchange.isEmpty() || exchange.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "dead-letter exchange must have 1 to 255 characters, is '" + exchange + "'");
    }
    if (!routingKey.contains(QUEUE) || routingKey.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "routing key of dead letters must have at most 255 characters and contain "
              + QUEUE
              + ", is '"
              + routingKey
              + "'");
    }
  }

  /**
   * An exchange with the name of the queue as routing key.
   *
   * @param exchange name of the exchange, not empty
   */
  public RabbitDeadLetters(String exchange) {
    this(exchange, QUEUE);
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
    return Destination.exchange(exchange, routingKey.replace(QUEUE, queue));
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
      topology.letterQueue(queueOf(queue)).bind(exchange, queueOf(queue), of(queue).routingKey());
    }
    return topology.build();
  }
}

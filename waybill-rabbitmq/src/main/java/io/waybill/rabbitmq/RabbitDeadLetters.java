package io.waybill.rabbitmq;

import io.waybill.internal.encode.DeadLetter;
import io.waybill.message.Destination;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * The route of dead letters: through one direct exchange into {@code <queue>.dlt}, a durable quorum
 * queue for each queue. An inbox accepts {@link #of} for its {@code deadLetters}. {@link
 * RabbitChecks} declares and checks exchange and queues.
 *
 * @param exchange name of the exchange, not empty
 * @param routingKey routing key of a dead letter. It contains {@link #QUEUE}, which stands for the
 *     name of the queue that the dead letter comes from; without it each queue would get the dead
 *     letters of all.
 */
public record RabbitDeadLetters(String exchange, String routingKey) {
  /** Stands for the name of a queue in a routing key. */
  public static final String QUEUE = "{queue}";

  private static final int MAX_BYTES = 255;

  /** Checks both. */
  public RabbitDeadLetters {
    if (exchange.isEmpty() || isTooLong(exchange)) {
      throw new IllegalArgumentException(
          "dead-letter exchange must have 1 to 255 bytes, is '" + exchange + "'");
    }
    if (!routingKey.contains(QUEUE) || isTooLong(routingKey)) {
      throw new IllegalArgumentException(
          "routing key of dead letters must have at most 255 bytes and contain "
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
   * Checks the names that follow from those of the queues. Call this before the start: an inbox
   * does not know its queues' names before it sends a dead letter. {@link #topology} does the same
   * check.
   *
   * @param queues queues whose dead letters are meant
   * @throws IllegalArgumentException if a routing key or the name of a dead-letter queue has more
   *     than the 255 bytes (in UTF-8) that RabbitMQ takes
   */
  public void check(Collection<String> queues) {
    checkQueues(queues);
    for (String queue : queues) {
      check("routing key of dead letters", queue, of(queue).routingKey());
    }
  }

  /**
   * Checks only the names of the dead-letter queues, for dead letters that go through the default
   * exchange.
   *
   * @param queues queues whose dead letters are meant
   * @throws IllegalArgumentException if one has more than the 255 bytes (in UTF-8) that RabbitMQ
   *     takes
   */
  public static void checkQueues(Collection<String> queues) {
    for (String queue : queues) {
      check("queue for dead letters", queue, queueOf(queue));
    }
  }

  private static void check(String what, String queue, String name) {
    if (isTooLong(name)) {
      throw new IllegalArgumentException(
          what + " of queue '" + queue + "' must have at most 255 bytes, is '" + name + "'");
    }
  }

  private static boolean isTooLong(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  /**
   * Returns the topology that has to exist.
   *
   * @param queues queues whose dead letters are meant
   * @return exchange, queues and bindings
   * @throws IllegalArgumentException if their names are too long, see {@link #check}
   */
  public RabbitTopology topology(Collection<String> queues) {
    check(queues);
    RabbitTopology.Builder topology = RabbitTopology.builder();
    topology.exchange(exchange, RabbitTopology.ExchangeType.DIRECT);
    for (String queue : queues) {
      topology.queue(queueOf(queue)).bind(exchange, queueOf(queue), of(queue).routingKey());
    }
    return topology.build();
  }
}

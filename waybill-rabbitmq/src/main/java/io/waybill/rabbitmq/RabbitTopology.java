package io.waybill.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import io.waybill.message.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The exchanges, queues and bindings that the routes need. All are durable, none is deleted
 * automatically, and no queue has a time to live.
 *
 * @param exchanges exchanges
 * @param queues queues
 * @param bindings bindings of the queues
 */
public record RabbitTopology(List<Exchange> exchanges, List<Queue> queues, List<Binding> bindings) {

  /** Copies the lists. */
  public RabbitTopology {
    exchanges = List.copyOf(exchanges);
    queues = List.copyOf(queues);
    bindings = List.copyOf(bindings);
  }

  /** How an exchange routes. */
  public enum ExchangeType {
    /** Patterns over the words of the routing key. */
    TOPIC(BuiltinExchangeType.TOPIC),
    /** Equal routing keys. */
    DIRECT(BuiltinExchangeType.DIRECT),
    /** To every bound queue. */
    FANOUT(BuiltinExchangeType.FANOUT),
    /** By headers, according to the binding's arguments. */
    HEADERS(BuiltinExchangeType.HEADERS);

    private final BuiltinExchangeType amqp;

    ExchangeType(BuiltinExchangeType amqp) {
      this.amqp = amqp;
    }

    BuiltinExchangeType amqp() {
      return amqp;
    }
  }

  /** How a queue stores. */
  public enum QueueType {
    /** Replicated by consensus. */
    QUORUM("quorum"),
    /** On one node. */
    CLASSIC("classic");

    private final String amqp;

    QueueType(String amqp) {
      this.amqp = amqp;
    }

    String amqp() {
      return amqp;
    }
  }

  /**
   * A durable exchange.
   *
   * @param name its name, not empty
   * @param type how it routes
   */
  public record Exchange(String name, ExchangeType type) {
    /** Checks the name. */
    public Exchange {
      requireName("exchange", name);
      Objects.requireNonNull(type, "type");
    }
  }

  /**
   * A durable queue, which keeps messages however often their delivery fails. Quorum queues have a
   * delivery limit by default (20 since RabbitMQ 4.0), so Waybill declares them with {@code
   * x-delivery-limit: -1}.
   *
   * @param name its name, not empty
   * @param type how it stores
   * @param singleActive whether one consumer at a time gets its messages, which keeps their order
   */
  public record Queue(String name, QueueType type, boolean singleActive) {
    /** Checks the name. */
    public Queue {
      requireName("queue", name);
      Objects.requireNonNull(type, "type");
    }

    /**
     * A queue that all of its consumers share.
     *
     * @param name its name, not empty
     * @param type how it stores
     */
    public Queue(String name, QueueType type) {
      this(name, type, false);
    }
  }

  /**
   * A binding.
   *
   * @param exchange exchange name
   * @param queue queue name
   * @param routingKey routing key or pattern, empty where the exchange ignores it
   * @param arguments arguments for a headers exchange, otherwise empty
   */
  public record Binding(
      String exchange, String queue, String routingKey, Map<String, String> arguments) {
    /** Checks the names. */
    public Binding {
      requireName("exchange", exchange);
      requireName("queue", queue);
      Objects.requireNonNull(routingKey, "routingKey");
      arguments = Map.copyOf(arguments);
    }
  }

  /**
   * Starts an empty topology.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static void requireName(String what, String name) {
    if (name.isEmpty() || name.length() > 255) {
      throw new IllegalArgumentException(
          what + " name must have 1 to 255 characters, is '" + name + "'");
    }
  }

  /** Collects a topology. Not thread-safe. */
  public static final class Builder {
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Queue> queues = new ArrayList<>();
    private final List<Binding> bindings = new ArrayList<>();

    private Builder() {}

    /**
     * Adds an exchange, in place of one that has the same name.
     *
     * @param name its name
     * @param type how it routes
     * @return this
     */
    public Builder exchange(String name, ExchangeType type) {
      exchanges.removeIf(each -> each.name().equals(name));
      exchanges.add(new Exchange(name, type));
      return this;
    }

    /**
     * Adds a quorum queue, in place of one that has the same name.
     *
     * @param name its name
     * @return this
     */
    public Builder queue(String name) {
      return queue(name, QueueType.QUORUM);
    }

    /**
     * Adds a queue, in place of one that has the same name.
     *
     * @param name its name
     * @param type how it stores
     * @return this
     */
    public Builder queue(String name, QueueType type) {
      return queue(new Queue(name, type));
    }

    private Builder queue(Queue queue) {
      queues.removeIf(each -> each.name().equals(queue.name()));
      queues.add(queue);
      return this;
    }

    /**
     * Adds a quorum queue whose messages one consumer at a time gets, in their order.
     *
     * @param name its name
     * @return this
     */
    public Builder singleActiveQueue(String name) {
      return queue(new Queue(name, QueueType.QUORUM, true));
    }

    /**
     * Adds what leads one destination to its consumers: a topic exchange, a queue that is named
     * like the routing key, and their binding. The queue is a classic one: a consumer that declares
     * it without arguments finds it as it wants it.
     *
     * @param destination exchange and routing key, neither of them empty
     * @return this
     */
    public Builder queueOf(Destination destination) {
      String queue = destination.routingKey();
      return exchange(destination.target(), ExchangeType.TOPIC)
          .queue(queue, QueueType.CLASSIC)
          .bind(destination.target(), queue, queue);
    }

    /**
     * Binds a queue.
     *
     * @param exchange exchange name
     * @param queue queue name
     * @param routingKey routing key or pattern
     * @return this
     */
    public Builder bind(String exchange, String queue, String routingKey) {
      bindings.add(new Binding(exchange, queue, routingKey, Map.of()));
      return this;
    }

    /**
     * The topology.
     *
     * @return what was collected
     */
    public RabbitTopology build() {
      return new RabbitTopology(exchanges, queues, bindings);
    }
  }
}

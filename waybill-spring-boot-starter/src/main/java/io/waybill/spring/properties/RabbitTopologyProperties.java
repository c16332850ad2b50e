package io.waybill.spring.properties;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Exchanges, queues and bindings that the relay declares before it starts. All are durable, and
 * none is deleted automatically.
 *
 * @param preset exchange, queues and bindings of a layout, to which the others are added; default:
 *     the outbox's, unless anything else is declared or the outbox has its own default route
 * @param exchanges exchanges by name
 * @param queues queues by name
 * @param bindings which queue gets which messages
 */
public record RabbitTopologyProperties(
    @Nullable Preset preset,
    @DefaultValue Map<String, Exchange> exchanges,
    @DefaultValue Map<String, Queue> queues,
    @DefaultValue List<Binding> bindings) {

  /** Named sets of exchanges, queues and bindings. */
  public enum Preset {
    /** The exchange and the four queues of layout notification. */
    NOTIFICATION,
    /** Nothing. */
    NONE
  }

  /** How an exchange routes. */
  public enum ExchangeType {
    /** Patterns over the words of the routing key. */
    TOPIC,
    /** Equal routing keys. */
    DIRECT,
    /** To every bound queue. */
    FANOUT,
    /** By headers, according to the binding's arguments. */
    HEADERS
  }

  /** How a queue stores. */
  public enum QueueType {
    /** Replicated by consensus. */
    QUORUM,
    /** On one node. */
    CLASSIC
  }

  /**
   * An exchange.
   *
   * @param type how it routes
   */
  public record Exchange(@DefaultValue("topic") ExchangeType type) {}

  /**
   * A queue.
   *
   * @param type how it stores
   */
  public record Queue(@DefaultValue("quorum") QueueType type) {}

  /**
   * A binding.
   *
   * @param exchange source
   * @param queue target
   * @param routingKey routing key or pattern of the messages
   */
  public record Binding(
      @Nullable String exchange, @Nullable String queue, @DefaultValue("#") String routingKey) {}
}

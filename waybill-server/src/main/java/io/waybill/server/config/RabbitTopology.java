package io.waybill.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is declared at start. Everything is durable and nothing deletes itself.
 *
 * @param exchanges type by exchange name
 * @param queues type by queue name
 * @param bindings which queue gets what
 */
public record RabbitTopology(
    Map<String, ExchangeType> exchanges, Map<String, QueueType> queues, List<Binding> bindings) {
  private static final Pattern NAME = Pattern.compile("(?s).{1,255}");

  /** Copies the collections. */
  public RabbitTopology {
    exchanges = Map.copyOf(exchanges);
    queues = Map.copyOf(queues);
    bindings = List.copyOf(bindings);
  }

  /** How an exchange routes. */
  public enum ExchangeType {
    /** By pattern. */
    TOPIC,
    /** By equal key. */
    DIRECT,
    /** To all. */
    FANOUT
  }

  /** How a queue stores. */
  public enum QueueType {
    /** Replicated. */
    QUORUM,
    /** On one node. */
    CLASSIC
  }

  /**
   * A binding.
   *
   * @param exchange from here
   * @param queue to here
   * @param routingKey what goes
   */
  public record Binding(String exchange, String queue, String routingKey) {}

  /** Exchanges, queues and bindings that go by a name. */
  private enum TopologyPreset {
    /** The exchange and the four queues of the notification system. */
    NOTIFICATION
  }

  private static void notification(
      Map<String, ExchangeType> exchanges, Map<String, QueueType> queues, List<Binding> bindings) {
    String exchange = "notifications.exchange";
    exchanges.put(exchange, ExchangeType.TOPIC);
    for (String recipient : List.of("restaurant", "customer", "agency", "admin")) {
      String queue = "notification." + recipient;
      queues.put(queue, QueueType.QUORUM);
      bindings.add(new Binding(exchange, queue, queue));
    }
  }

  static @Nullable RabbitTopology read(Section parent) {
    if (!parent.has("topology")) {
      return null;
    }
    Section section = parent.section("topology");
    Map<String, ExchangeType> exchanges = new LinkedHashMap<>();
    Map<String, QueueType> queues = new LinkedHashMap<>();
    List<Binding> bindings = new ArrayList<>();
    if (section.has("preset")) {
      section.choice("preset", TopologyPreset.class, TopologyPreset.NOTIFICATION);
      notification(exchanges, queues, bindings);
    }
    section
        .sections("exchanges")
        .forEach((name, s) -> exchanges.put(name, type(s, ExchangeType.class, ExchangeType.TOPIC)));
    section
        .sections("queues")
        .forEach((name, s) -> queues.put(name, type(s, QueueType.class, QueueType.QUORUM)));
    section.sectionList("bindings").forEach(binding -> bindings.add(binding(binding)));
    section.done();
    return new RabbitTopology(exchanges, queues, bindings);
  }

  private static <E extends Enum<E>> E type(Section section, Class<E> type, E fallback) {
    E chosen = section.choice("type", type, fallback);
    section.done();
    return chosen;
  }

  private static Binding binding(Section section) {
    String rule = "must be a name of 1 to 255 characters";
    Binding binding =
        new Binding(
            section.required("exchange", NAME, rule),
            section.required("queue", NAME, rule),
            section.text("routing-key", "#"));
    section.done();
    return binding;
  }
}

package io.waybill.spring.autoconfigure;

import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.rabbitmq.RabbitTopology.ExchangeType;
import io.waybill.rabbitmq.RabbitTopology.QueueType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Exchanges, queues and bindings that the relay declares before it starts. All are durable, and
 * none is deleted automatically.
 *
 * @param preset exchange, queues and bindings of a layout
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
    NOTIFICATION
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

  /** What is declared; what is missing is added to problems. */
  RabbitTopology topology(Problems problems) {
    RabbitTopology.Builder topology = RabbitTopology.builder();
    if (preset == Preset.NOTIFICATION) {
      String exchange = "notifications.exchange";
      topology.exchange(exchange, ExchangeType.TOPIC);
      for (String recipient : List.of("restaurant", "customer", "agency", "admin")) {
        String queue = "notification." + recipient;
        topology.queue(queue, QueueType.QUORUM).bind(exchange, queue, queue);
      }
    }
    exchanges.forEach((name, exchange) -> topology.exchange(name, exchange.type()));
    queues.forEach((name, queue) -> topology.queue(name, queue.type()));
    for (int i = 0; i < bindings.size(); i++) {
      Binding binding = bindings.get(i);
      String key = "rabbitmq.topology.bindings[" + i + "]";
      if (binding.exchange() == null || binding.queue() == null) {
        problems.add(key + (binding.exchange() == null ? ".exchange" : ".queue"), "must be given");
      } else {
        topology.bind(binding.exchange(), binding.queue(), binding.routingKey());
      }
    }
    return topology.build();
  }
}

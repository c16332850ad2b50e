package io.waybill.rabbitmq;

import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks through the management API at every queue that the routes can reach. */
final class PolicyCheck {
  private final ManagementApi api;
  private final int connections;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, @Nullable JsonValue> seen = new HashMap<>();

  PolicyCheck(ManagementApi api, int connections) {
    this.api = api;
    this.connections = connections;
  }

  List<Finding> check(RabbitTopology topology, Collection<Destination> routes)
      throws IOException, InterruptedException {
    Set<String> exchanges = new TreeSet<>();
    Set<String> queues = new TreeSet<>();
    String version = api.version();
    topology.queues().forEach(queue -> queues.add(queue.name()));
    topology.exchanges().forEach(exchange -> exchanges.add(exchange.name()));
    for (Destination route : routes) {
      (route.target().isEmpty() ? queues : exchanges)
          .add(route.target().isEmpty() ? route.routingKey() : route.target());
    }
    for (String exchange : exchanges) {
      new ExchangeRules(api, exchange, findings).judge();
      Set<String> behind = reachable(Set.of(exchange));
      shared(exchange, behind);
      queues.addAll(behind);
    }
    for (String name : queues) {
      JsonValue queue = queue(name);
      if (queue != null) {
        findings.addAll(QueueRules.judge(name, queue, version));
        deadLetters(name, queue, version);
      }
    }
    for (RabbitTopology.Queue each : topology.queues()) {
      JsonValue there = queue(each.name());
      String type = there == null ? null : there.at("type").text();
      if (type != null && !type.equals(each.type().amqp())) {
        findings.add(KeptPart.ofOtherType(each, type));
      }
    }
    for (RabbitTopology.Binding binding : topology.bindings()) {
      if (!isBound(binding)) {
        findings.add(missing(binding));
      }
    }
    broker();
    return findings;
  }

  private @Nullable JsonValue queue(String name) throws IOException, InterruptedException {
    if (!seen.containsKey(name)) {
      seen.put(name, api.queue(name));
    }
    return seen.get(name);
  }

  /** One full queue makes the broker refuse what other queues have taken. */
  private void shared(String exchange, Set<String> behind)
      throws IOException, InterruptedException {
    for (String name : behind) {
      JsonValue queue = behind.size() > 1 ? queue(name) : null;
      if (queue != null && QueueRules.refuses(queue)) {
        findings.add(
            new Finding(
                Check.RABBITMQ_REFUSAL_SHARED,
                "exchange " + exchange,
                "when queue '%s' behind it is full, each retry puts a copy into the other queues"
                    .formatted(name),
                "remove the limit of the queue, or give it a separate exchange"));
      }
    }
  }

  /** Whether what the broker moves away from a queue arrives anywhere. */
  private void deadLetters(String name, JsonValue queue, String version)
      throws IOException, InterruptedException {
    String exchange = QueueRules.setting(queue, "dead-letter-exchange");
    if (exchange == null || !QueueRules.movesMessages(queue, version)) {
      return;
    }
    String key = QueueRules.setting(queue, "dead-letter-routing-key");
    boolean arrives =
        exchange.isEmpty()
            ? key == null || queue(key) != null
            : !api.bindingsFrom(exchange).isEmpty();
    if (!arrives) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DEAD_LETTERS_LOST,
              "queue " + name,
              "queue '%s' moves messages to '%s', which routes them to no queue and drops them"
                  .formatted(name, exchange.isEmpty() ? key : exchange),
              "declare that exchange and bind a queue to it"));
    }
  }

  private void broker() throws IOException, InterruptedException {
    for (JsonValue alarm : api.alarms()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_ALARM,
              "RabbitMQ node " + alarm.at("node").text(),
              "its alarm of " + alarm.at("resource").text() + " is in force: it takes no messages",
              "free the " + alarm.at("resource").text() + ", or raise the node's limit"));
    }
    for (JsonValue limit : api.limits()) {
      String most = limit.at("value").at("max-connections").text();
      if (most != null && !most.startsWith("-") && Integer.parseInt(most) < connections) {
        findings.add(
            new Finding(
                    Check.RABBITMQ_CONNECTIONS_LOW,
                    "RabbitMQ virtual host " + limit.at("vhost").text(),
                    "it allows " + most + " connections, and the relay opens " + connections,
                    "rabbitmqctl set_vhost_limits -p %s '{\"max-connections\": -1}'"
                        .formatted(limit.at("vhost").text()))
                .runnable());
      }
    }
  }

  /** The queues behind the exchanges, also through exchanges that are bound to them. */
  private Set<String> reachable(Set<String> exchanges) throws IOException, InterruptedException {
    Set<String> queues = new TreeSet<>();
    Set<String> visited = new HashSet<>(exchanges);
    Deque<String> open = new ArrayDeque<>(exchanges);
    while (!open.isEmpty()) {
      for (JsonValue binding : api.bindingsFrom(open.remove())) {
        String name = Objects.requireNonNullElse(binding.at("destination").text(), "");
        boolean isQueue = "queue".equals(binding.at("destination_type").text());
        if (isQueue) {
          queues.add(name);
        } else if (visited.add(name)) {
          open.add(name);
        }
      }
    }
    return queues;
  }

  private boolean isBound(RabbitTopology.Binding binding) throws IOException, InterruptedException {
    return api.bindingsFrom(binding.exchange()).stream()
        .anyMatch(
            each ->
                binding.queue().equals(each.at("destination").text())
                    && binding.routingKey().equals(each.at("routing_key").text()));
  }

  private static Finding missing(RabbitTopology.Binding binding) {
    return new Finding(
        Check.RABBITMQ_BINDING_MISSING,
        "queue " + binding.queue(),
        "queue '%s' is not bound to exchange '%s' with routing key '%s'"
            .formatted(binding.queue(), binding.exchange(), binding.routingKey()),
        "bind it, or let the relay declare its topology; until then its events are rejected");
  }
}

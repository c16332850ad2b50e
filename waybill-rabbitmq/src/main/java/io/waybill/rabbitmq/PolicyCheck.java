package io.waybill.rabbitmq;

import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Looks through the management API at every queue that the routes can reach. */
final class PolicyCheck {
  private final ManagementApi api;

  PolicyCheck(ManagementApi api) {
    this.api = api;
  }

  List<Finding> check(RabbitTopology topology, Collection<Destination> routes)
      throws IOException, InterruptedException {
    Set<String> exchanges = new TreeSet<>();
    Set<String> queues = new TreeSet<>();
    topology.queues().forEach(queue -> queues.add(queue.name()));
    topology.exchanges().forEach(exchange -> exchanges.add(exchange.name()));
    for (Destination route : routes) {
      (route.target().isEmpty() ? queues : exchanges)
          .add(route.target().isEmpty() ? route.routingKey() : route.target());
    }
    List<Finding> findings = new ArrayList<>();
    queues.addAll(reachable(exchanges));
    for (String name : queues) {
      JsonValue queue = api.queue(name);
      if (queue != null) {
        findings.addAll(QueueRules.judge(name, queue));
      }
    }
    for (RabbitTopology.Binding binding : topology.bindings()) {
      if (!isBound(binding)) {
        findings.add(missing(binding));
      }
    }
    return findings;
  }

  /** The queues behind the exchanges, also through exchanges that are bound to them. */
  private Set<String> reachable(Set<String> exchanges) throws IOException, InterruptedException {
    Set<String> queues = new TreeSet<>();
    Set<String> seen = new HashSet<>(exchanges);
    Deque<String> open = new ArrayDeque<>(exchanges);
    while (!open.isEmpty()) {
      for (JsonValue binding : api.bindingsFrom(open.remove())) {
        String name = Objects.requireNonNullElse(binding.at("destination").text(), "");
        boolean isQueue = "queue".equals(binding.at("destination_type").text());
        if (isQueue) {
          queues.add(name);
        } else if (seen.add(name)) {
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
    return Finding.warn(
        "queue " + binding.queue(),
        "queue '%s' is not bound to exchange '%s' with routing key '%s'"
            .formatted(binding.queue(), binding.exchange(), binding.routingKey()),
        "bind it, or let the relay declare its topology; until then its events are rejected");
  }
}

package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds exchanges that vanish, lead nowhere, or swallow what they cannot route. */
final class ExchangeRules {
  private final ManagementApi api;
  private final String name;
  private final List<Finding> findings;

  ExchangeRules(ManagementApi api, String name, List<Finding> findings) {
    this.api = api;
    this.name = name;
    this.findings = findings;
  }

  /** Judges the exchange; a missing one was found before. */
  void judge() throws IOException, InterruptedException {
    JsonValue exchange = api.exchange(name);
    if (exchange == null) {
      return;
    }
    if (!exchange.at("durable").isTrue() || exchange.at("auto_delete").isTrue()) {
      found(
          Check.RABBITMQ_EXCHANGE_NOT_DURABLE,
          "disappears after a restart of the broker or of its queues; the broker then refuses its"
              + " events",
          "declare it again: durable, not auto-deleted");
    }
    String alternate = alternate(exchange);
    if (alternate != null) {
      found(
          Check.RABBITMQ_ALTERNATE_EXCHANGE,
          "passes unroutable events to exchange '"
              + alternate
              + "': such events count as published",
          "remove alternate-exchange from its policy or arguments, or watch the queues behind it");
    } else if (api.bindingsFrom(name).isEmpty()) {
      found(
          Check.RABBITMQ_EXCHANGE_UNBOUND,
          "has no queue bound to it: its events are refused",
          "bind a queue to it, for example by waybill destinations declare --queue");
    }
  }

  private @Nullable String alternate(JsonValue exchange) throws IOException, InterruptedException {
    String argument = exchange.at("arguments").at("alternate-exchange").text();
    String policy = exchange.at("policy").text();
    if (argument != null || policy == null) {
      return argument;
    }
    JsonValue definition = api.policy(policy);
    return definition == null ? null : definition.at("definition").at("alternate-exchange").text();
  }

  private void found(Check check, String detail, String remedy) {
    findings.add(
        new Finding(check, "exchange " + name, "exchange '" + name + "' " + detail, remedy));
  }
}

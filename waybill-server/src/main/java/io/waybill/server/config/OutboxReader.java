package io.waybill.server.config;

import io.waybill.retry.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and checks one outbox. */
final class OutboxReader {
  /** Stands for a broker that is missing while the rest is checked. */
  private static final BrokerConfig NONE =
      new KafkaConfig(
          List.of(), Duration.ofSeconds(5), Duration.ofSeconds(10), null, null, null, Map.of());

  private OutboxReader() {}

  static OutboxConfig read(String name, Section section) {
    if (!section.has("database")) {
      section.problem("database", "must be given");
    }
    DatabaseConfig database = DatabaseReader.read(section.section("database"));
    TableConfig table = TableConfig.read(section);
    BrokerConfig broker = broker(section);
    if (!section.has("routes")) {
      section.problem("routes", "must be given");
    }
    RoutesConfig routes =
        RoutesConfig.read(section.section("routes"), !(broker instanceof RabbitConfig));
    Section failure = section.section("failure");
    Map<String, FailureConfig> failures = new LinkedHashMap<>();
    failure
        .sections("destinations")
        .forEach((target, s) -> failures.put(target, FailureConfig.read(s)));
    FailureConfig fallback = FailureConfig.read(failure);
    RetryPolicy retry = RetryReader.read(section.section("retry"));
    LimitsConfig limits = LimitsConfig.read(section.section("limits"), broker.deliveryTimeout());
    section.done();
    return new OutboxConfig(
        name, database, table, broker, routes, fallback, failures, retry, limits);
  }

  private static BrokerConfig broker(Section section) {
    boolean kafka = section.has("kafka");
    boolean rabbit = section.has("rabbitmq");
    if (!kafka && !rabbit) {
      section.problem("kafka", "or rabbitmq must be given");
    }
    if (kafka && rabbit) {
      section.problem("kafka", "must not stand beside rabbitmq");
    }
    // Both are read, so that what is wrong in either is listed too.
    BrokerConfig second = rabbit ? RabbitConfig.read(section.section("rabbitmq")) : NONE;
    return kafka ? KafkaReader.read(section.section("kafka")) : second;
  }
}

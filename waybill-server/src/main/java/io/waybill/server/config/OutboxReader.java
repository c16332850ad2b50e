package io.waybill.server.config;

import io.waybill.jdbc.LayoutPolling;
import io.waybill.kafka.StandardPartitioner;
import io.waybill.retry.RetryPolicy;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and checks one outbox. */
final class OutboxReader {
  /** Stands for a broker that is missing while the rest is checked. */
  private static final BrokerConfig NONE =
      new KafkaConfig(
          List.of(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          null,
          StandardPartitioner.MURMUR2_RANDOM,
          null,
          null,
          Map.of());

  private OutboxReader() {}

  static OutboxConfig read(String name, Section section) {
    if (!section.has("database")) {
      section.problem("database", "must be given");
    }
    DatabaseConfig database = DatabaseReader.read(section.section("database"));
    TableConfig.Read read = TableConfig.read(name, section, database);
    Preset preset = read.preset();
    BrokerConfig broker = broker(section);
    boolean kafka = !(broker instanceof RabbitConfig);
    RouteConfig usual = preset == null ? null : preset.route(kafka);
    if (!section.has("routes") && usual == null) {
      section.problem("routes", "must be given");
    }
    RoutesConfig routes = RoutesConfig.read(section.section("routes"), kafka, usual);
    Section failure = section.section("failure");
    FailureConfig.Policy policy = preset == null ? FailureConfig.Policy.PARK : preset.failure();
    Map<String, FailureConfig> failures = new LinkedHashMap<>();
    failure
        .sections("destinations")
        .forEach((target, s) -> failures.put(target, FailureConfig.read(s, policy)));
    FailureConfig fallback = FailureConfig.read(failure, policy);
    RetryPolicy retry = RetryReader.read(section.section("retry"));
    LimitsConfig limits = LimitsConfig.read(section.section("limits"), broker.deliveryTimeout());
    Polling polling =
        PollReader.read(
            section.section("poll"), LayoutPolling.of(read.table().layout()), limits.maxRows());
    section.done();
    return new OutboxConfig(
        name, database, read.table(), polling, broker, routes, fallback, failures, retry, limits);
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

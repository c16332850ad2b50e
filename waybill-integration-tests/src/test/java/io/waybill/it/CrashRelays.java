package io.waybill.it;

import io.waybill.Waybill;
import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.route.Route;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;

/**
 * Relays of the crash suite: small bounds, so that all steps are reached soon, and short leases.
 */
final class CrashRelays {
  private static final Duration DELIVERY = Duration.ofSeconds(5);
  private static final Duration REQUEST = Duration.ofSeconds(3);
  private static final Duration LEASE_BEYOND_DELIVERY = Duration.ofSeconds(2);
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final int MOST_ROWS = 100;
  private static final int MOST_PER_SETTLEMENT = 20;

  private CrashRelays() {}

  /**
   * Starts a relay.
   *
   * @param url database
   * @param broker {@link BrokerUnderTest#address()}
   */
  static Waybill start(
      String name,
      String url,
      String broker,
      UnaryOperator<OutboxTables> tables,
      UnaryOperator<Publisher> publisher) {
    PostgresOutbox outbox =
        PostgresOutbox.of(
            ConnectionFactory.postgres(url, new Properties()), PostgresOptions.ofDefaults());
    boolean kafka = broker.startsWith("kafka ");
    String address = broker.substring(broker.indexOf(' ') + 1);
    return Waybill.relay(name)
        .tables(tables.apply(outbox))
        .broker(kafka ? kafka(address) : rabbit(address))
        .decoratePublisher(publisher)
        .route(
            kafka
                ? Route.to("{eventType}").build()
                : Route.to("events").routingKey("{eventType}").build())
        .retry(RetryPolicy.builder().constant(Duration.ofMillis(50)).attemptLimit(2).build())
        .settings(CrashRelays::small)
        .warnOnly()
        .start();
  }

  private static Broker kafka(String address) {
    return KafkaBroker.of(
        KafkaPublisherConfig.builder(address)
            .deliveryTimeout(DELIVERY)
            .requestTimeout(REQUEST)
            .build());
  }

  private static Broker rabbit(String address) {
    return RabbitBroker.of(
        RabbitPublisherConfig.builder()
            .addresses(List.of(address))
            .confirmTimeout(DELIVERY)
            .build());
  }

  private static EngineSettings small(EngineSettings s) {
    return new EngineSettings(
        MOST_ROWS,
        s.maxBytes(),
        MOST_PER_SETTLEMENT,
        s.settleDelay(),
        s.polling(),
        s.deliveryTimeout().plus(LEASE_BEYOND_DELIVERY),
        INTERVAL,
        INTERVAL,
        s.deliveryTimeout(),
        MOST_ROWS,
        s.maxInFlightPerKey());
  }
}

package io.waybill.demo.docs;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.Preset;
import io.waybill.Waybill;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.handler.Interceptor;
import io.waybill.jdbc.CommitNotifier;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.kafka.KafkaBroker;
import io.waybill.layout.Layouts;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** What the README and the guide quote. */
final class Examples {
  private Examples() {}

  // quote:append
  private static final Outbox OUTBOX = Outbox.of(PostgresAppend.ofDefaults());

  static void placeOrder(DataSource dataSource, String orderId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      FailingAttempts.insertOrder(connection, orderId);
      OUTBOX.append(
          connection,
          Event.builder("order.placed", "order", orderId)
              .json("{\"orderId\":\"" + orderId + "\"}")
              .build());
      connection.commit();
    }
  }

  // quote:end

  static Event everything(byte[] bytes, Instant tomorrow) {
    // quote:event
    Event event =
        Event.builder("order.placed", "order", "o-42") // type, and the key: what is kept in order
            .id("order-42-placed") // default: a new UUID of version 7
            .version(2)
            .payload(Payload.of(bytes, "application/avro"))
            .header("tenant", "acme")
            .correlationId("checkout-7")
            .causationId("payment-3")
            .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .availableAt(tomorrow)
            .build();
    // quote:end
    return event;
  }

  static void several(Connection connection, Event first, Event second) throws SQLException {
    // quote:several
    OUTBOX.append(connection, List.of(first, second)); // one statement, one round trip
    // quote:end
  }

  static Event tombstone() {
    // quote:tombstone
    Event removed =
        Event.builder("order.removed", "order", "o-42").payload(Payload.tombstone()).build();
    // quote:end
    return removed;
  }

  static CommitNotifier notifying(DataSource dataSource) {
    // quote:notifier
    CommitNotifier notifier =
        CommitNotifier.start(
            OutboxDefinition.of(Layouts.WAYBILL)
                .open(ConnectionFactory.of(dataSource), DatabaseKind.POSTGRESQL),
            Duration.ofMillis(10)); // shortest time between two notifications
    Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), notifier);
    // append, commit, then:
    outbox.committed();
    // quote:end
    return notifier;
  }

  static Waybill inProcess(DataSource dataSource, String servers) {
    // quote:in-process
    Waybill waybill =
        Waybill.relay("orders-1")
            .outbox(dataSource)
            .broker(KafkaBroker.at(servers))
            .route("{aggregateType|lower}-events")
            .start();
    // quote:end
    return waybill;
  }

  static Traced traced(
      OpenTelemetry openTelemetry, Connection connection, Event event, Publisher publisher)
      throws SQLException {
    // quote:tracing
    WaybillTracing tracing = WaybillTracing.of(openTelemetry);
    tracing.outbox(OUTBOX).append(connection, event); // in a child of the current span
    BrokerClient kafka = BrokerClient.of(Transport.KAFKA).server("localhost", 9092);
    Publisher sends = tracing.publisher(publisher, kafka); // for decoratePublisher
    Interceptor handles = tracing.interceptor(kafka.consumerGroup("stock")); // for Inbox.builder()
    // quote:end
    return new Traced(sends, handles);
  }

  /** What {@link #traced} makes. */
  record Traced(Publisher sends, Interceptor handles) {}

  static Waybill preset(DataSource dataSource, String servers) {
    // quote:preset
    Waybill waybill =
        Waybill.relay("shop-1")
            .outbox(dataSource)
            .preset(Preset.POLYSHOP)
            .source("shop")
            .broker(KafkaBroker.at(servers))
            .start();
    // quote:end
    return waybill;
  }
}

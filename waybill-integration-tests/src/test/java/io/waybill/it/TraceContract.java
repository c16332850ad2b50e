package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.Waybill;
import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Subscriber;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.encode.Format;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.ReceivedEvent;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.proof.server.PostgresServer;
import io.waybill.route.Route;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One trace with its state, from the producer's table through a relay to a consumer's handler. */
abstract class TraceContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  // W3C Trace Context has 512 characters carried at least.
  private static final String STATE =
      "ot=th:8;\"\\,vendor=" + "x".repeat(256) + ",other=" + "y".repeat(240);

  /** Each test's own: a static one would be shared with, and ended by, the other broker's class. */
  @RegisterExtension final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private final WaybillTracing tracing = WaybillTracing.of(telemetry.getOpenTelemetry());
  private final BlockingQueue<ReceivedEvent> handled = new LinkedBlockingQueue<>();

  /** Of which kind and where. */
  abstract BrokerClient client();

  /** Makes a topic, or a queue that is bound by its name. */
  abstract void create(String name);

  /** Route to what was made. */
  abstract Route route(String name);

  abstract Broker broker();

  abstract Subscriber subscriber(String name);

  abstract PostgresServer postgres();

  private static Event event(String id) {
    return Event.builder("order.placed", "order", "42")
        .id(id)
        .json("{\"total\": 1}")
        .traceparent("00-" + TRACE + "-" + PARENT + "-01")
        .tracestate(STATE)
        .build();
  }

  private static void tables(Connection connection) throws SQLException {
    Schemas.apply(connection);
    int unused =
        InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
  }

  private Waybill relay(String name, Format format) {
    return Waybill.relay(name)
        .outbox(ConnectionFactory.postgres(postgres().jdbcUrl(name), new Properties()))
        .broker(broker())
        .decoratePublisher(publisher -> tracing.publisher(publisher, client()))
        .route(route(name))
        .format(format)
        .source("orders")
        .start();
  }

  private io.waybill.inbox.Inbox consumer(String name) {
    ConnectionFactory connections =
        ConnectionFactory.postgres(postgres().jdbcUrl(name), new Properties());
    return io.waybill.inbox.Inbox.builder()
        .store(
            JdbcInboxStore.of(
                connections, DatabaseKind.POSTGRESQL, "billing", InboxOptions.ofDefaults()))
        .subscriber(subscriber(name))
        .deadLetters(broker().publisher(), client().transport())
        .interceptor(tracing.interceptor(client().consumerGroup("billing")))
        .handler("order.placed", (event, connection) -> handled.add(event))
        .start();
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aTraceWithItsStateGoesFromTheTableThroughTheRelayToTheHandler(Format format)
      throws SQLException {
    String name = "trace_" + format.name().toLowerCase(Locale.ROOT);
    postgres().createDatabase(name);
    create(name);
    try (Connection connection = postgres().dataSource(name).getConnection()) {
      tables(connection);
      connection.setAutoCommit(false);
      try (Waybill relay = relay(name, format);
          io.waybill.inbox.Inbox inbox = consumer(name)) {
        tracing.outbox(relay.outbox()).append(connection, event("e-1"));
        connection.commit();
        relay.outbox().committed();

        await().atMost(PATIENCE).until(() -> !handled.isEmpty() && spans().size() == 3);
        assertThat(inbox).isNotNull();
      }
    }

    SpanData append = span(SpanKind.INTERNAL);
    SpanData send = span(SpanKind.PRODUCER);
    SpanData process = span(SpanKind.CONSUMER);
    assertThat(spans()).extracting(SpanData::getTraceId).containsOnly(TRACE);
    assertThat(append.getParentSpanId()).isEqualTo(PARENT);
    assertThat(send.getParentSpanId()).isEqualTo(append.getSpanId());
    assertThat(process.getParentSpanId()).isEqualTo(send.getSpanId());
    assertThat(spans())
        .allSatisfy(
            span ->
                assertThat(span.getSpanContext().getTraceState().get("ot")).isEqualTo("th:8;\"\\"));

    ReceivedEvent received = handled.remove();
    assertThat(received.tracestate()).isEqualTo(STATE);
    assertThat(received.traceparent()).isEqualTo("00-" + TRACE + "-" + send.getSpanId() + "-01");
    assertThat(received.headers().list()).contains(new Header("tracestate", STATE));
    assertNames(send, process, name);
  }

  /** What only a real broker says. */
  abstract void assertNames(SpanData send, SpanData process, String name);

  static void assertHas(SpanData span, String attribute, String value) {
    assertThat(span.getAttributes().get(AttributeKey.stringKey(attribute)))
        .as(attribute)
        .isEqualTo(value);
  }

  static void assertSystem(SpanData send, SpanData process, String system) {
    assertHas(send, MessagingConventions.SYSTEM, system);
    assertHas(process, MessagingConventions.SYSTEM, system);
    assertHas(send, MessagingConventions.MESSAGE_ID, "e-1");
    assertHas(process, MessagingConventions.MESSAGE_ID, "e-1");
  }

  @Test
  void whatIsNoTracestateIsLeftOut() throws SQLException {
    postgres().createDatabase("trace_bad");
    create("trace_bad");
    try (Connection connection = postgres().dataSource("trace_bad").getConnection()) {
      tables(connection);
      try (var statement = connection.createStatement();
          Waybill relay = relay("trace_bad", Format.RAW);
          io.waybill.inbox.Inbox inbox = consumer("trace_bad")) {
        // As a writer in another language may.
        statement.executeUpdate(
            """
            insert into waybill_outbox (event_id, event_type, payload, headers, traceparent)
            values ('e-2', 'order.placed', '1', '{"tracestate": "NOT one", "tenant": "acme"}',
              '00-%s-%s-01')"""
                .formatted(TRACE, PARENT));
        relay.outbox().committed();
        await().atMost(PATIENCE).until(() -> !handled.isEmpty());
        assertThat(inbox).isNotNull();
      }
    }

    ReceivedEvent received = handled.remove();
    assertThat(received.tracestate()).isNull();
    assertThat(received.headers().get("tracestate")).isNull();
    assertThat(received.headers().get("tenant")).isEqualTo("acme");
  }

  private List<SpanData> spans() {
    return telemetry.getSpans();
  }

  private SpanData span(SpanKind kind) {
    return spans().stream().filter(span -> span.getKind() == kind).findFirst().orElseThrow();
  }
}

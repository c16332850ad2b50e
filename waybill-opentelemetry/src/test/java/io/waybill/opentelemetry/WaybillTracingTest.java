package io.waybill.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.database.AppendDialect;
import io.waybill.handler.Interceptor;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.TraceContext;
import io.waybill.message.Transport;
import io.waybill.outbox.Outbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WaybillTracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  private static final String STATE = "ot=th:8,vendor=" + "x".repeat(256) + ",o=" + "y".repeat(240);
  private static final BrokerClient KAFKA = BrokerClient.of(Transport.KAFKA);

  @RegisterExtension
  static final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private final WaybillTracing tracing = WaybillTracing.of(telemetry.getOpenTelemetry());

  private static Outgoing message(long sendId, List<Header> headers) {
    return new Outgoing(
        sendId, Destination.topic("orders"), null, null, "a/b", "e-1", "order.placed", 0, headers);
  }

  private static ReceivedEvent event(String id, String traceparent) {
    Headers headers =
        new Headers(
            List.of(
                new Header("waybill-event-id", id),
                new Header("waybill-event-type", "order.placed"),
                new Header("traceparent", traceparent)));
    return ((Decoded.Event) new Decoder().decode("orders", null, null, headers, 0)).event();
  }

  private static SpanData span() {
    assertThat(telemetry.getSpans()).hasSize(1);
    return telemetry.getSpans().get(0);
  }

  /** Keeps the events that are appended. */
  private static Outbox keeping(List<Event> events) {
    return Outbox.of(
        new AppendDialect() {
          @Override
          public void insert(Connection connection, List<Event> appended) {
            events.addAll(appended);
          }

          @Override
          public @Nullable Duplicate duplicate(SQLException failure, List<Event> appended) {
            return null;
          }
        });
  }

  private static Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            WaybillTracingTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> method.getName().equals("getAutoCommit") ? false : null);
  }

  private static Event caused(String traceparent) {
    return Event.builder("paid").json("{}").traceparent(traceparent).tracestate(STATE).build();
  }

  @Test
  void eachEventOfABatchStaysInItsOwnTrace() throws SQLException {
    List<Event> kept = new ArrayList<>();
    String other = "00-" + TRACE.replace('4', '5') + "-" + PARENT + "-01";
    Span batch = telemetry.getOpenTelemetry().getTracer("test").spanBuilder("batch").startSpan();
    Scope scope = batch.makeCurrent();
    try {
      TraceContext own = Objects.requireNonNull(Spans.text(batch, null));
      tracing
          .outbox(keeping(kept))
          .append(
              connection(),
              List.of(
                  caused(TRACEPARENT),
                  caused(other),
                  caused(own.traceparent()),
                  Event.builder("paid").json("{}").build()));
    } finally {
      scope.close();
      batch.end();
    }

    String current = batch.getSpanContext().getTraceId();
    List<SpanData> appended = telemetry.getSpans().subList(0, 4);
    assertThat(appended)
        .extracting(SpanData::getTraceId)
        .containsExactly(TRACE, TRACE.replace('4', '5'), current, current);
    assertThat(appended)
        .extracting(SpanData::getParentSpanId)
        .containsExactly(
            PARENT, PARENT, batch.getSpanContext().getSpanId(), batch.getSpanContext().getSpanId());
    assertThat(appended)
        .allSatisfy(
            span -> {
              assertThat(span.getName()).isEqualTo("append paid");
              assertThat(span.getKind()).as("no system is known").isEqualTo(SpanKind.INTERNAL);
              assertThat(span.getAttributes().get(Spans.EVENT_TYPE)).isEqualTo("paid");
              assertThat(span.getAttributes().asMap())
                  .containsOnlyKeys(Spans.EVENT_TYPE, Spans.EVENT_ID);
            });
    assertThat(kept)
        .extracting(Event::tracestate)
        .as("that of the parent")
        .containsExactly(STATE, STATE, null, null);
    assertThat(kept)
        .extracting(Event::traceparent)
        .zipSatisfy(
            appended,
            (traceparent, span) ->
                assertThat(traceparent)
                    .startsWith("00-" + span.getTraceId() + "-" + span.getSpanId() + "-"));
  }

  @Test
  void aSendHasASpanUntilItIsConfirmedAndItsContextTravels() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, KAFKA);
    traced.start(wire);
    Header own = new Header("tenant", "acme");
    traced.send(message(1, List.of(own, new Header("traceparent", TRACEPARENT))));
    assertThat(telemetry.getSpans()).isEmpty();
    wire.confirm(new Confirmation.Confirmed(1));

    SpanData span = span();
    assertThat(span.getName()).isEqualTo("send orders");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(Messaging.SYSTEM)).isEqualTo("kafka");
    assertThat(span.getAttributes().get(Messaging.DESTINATION)).isEqualTo("orders");
    assertThat(span.getAttributes().get(Messaging.MESSAGE)).isEqualTo("e-1");
    assertThat(wire.sent.get(0).headers())
        .containsExactly(
            own, new Header("traceparent", "00-" + TRACE + "-" + span.getSpanId() + "-01"));
    assertThat(wire.told).containsExactly(new Confirmation.Confirmed(1));
    assertThat(traced.maxInFlightPerKey()).isEqualTo(7);
    assertThat(traced.deliveryTimeout()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void tracestateGoesOnWithTheContextOfTheSend() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, KAFKA);
    traced.start(wire);
    Header tenant = new Header("tenant", "acme");
    Header state = new Header("tracestate", STATE);
    traced.send(message(1, List.of(new Header("traceparent", TRACEPARENT), tenant, state)));
    wire.confirm(new Confirmation.Confirmed(1));

    String current = "00-" + TRACE + "-" + span().getSpanId() + "-01";
    assertThat(span().getParentSpanContext().getTraceState().get("ot")).isEqualTo("th:8");
    assertThat(wire.sent.get(0).headers())
        .containsExactly(new Header("traceparent", current), state, tenant);
  }

  @Test
  void aTracestateThatIsNoneDoesNotGoOn() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, KAFKA);
    traced.start(wire);
    Header state = new Header("tracestate", "NOT one");
    traced.send(message(1, List.of(new Header("traceparent", TRACEPARENT), state)));

    assertThat(wire.sent.get(0).headers()).extracting(Header::name).containsExactly("traceparent");
  }

  @Test
  void aSendThatFailsHasASpanWithTheReason() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, KAFKA);
    traced.start(wire);
    traced.send(message(1, List.of(new Header("traceparent", TRACEPARENT))));
    wire.confirm(new Confirmation.Rejected(1, "record-too-large", "1 MiB"));

    assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span().getStatus().getDescription()).isEqualTo("1 MiB");
  }

  @Test
  void aMessageWithoutATraceStaysAsItIs() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, KAFKA);
    traced.start(wire);
    Outgoing message = message(1, List.of(new Header("tenant", "acme")));
    traced.send(message);
    wire.confirm(new Confirmation.Confirmed(1));

    assertThat(wire.sent).containsExactly(message);
    assertThat(telemetry.getSpans()).isEmpty();
  }

  @Test
  void withoutATracerNothingChanges() {
    Wire wire = new Wire();
    Publisher traced =
        WaybillTracing.of(OpenTelemetry.noop())
            .publisher(wire, BrokerClient.of(Transport.RABBITMQ));
    traced.start(wire);
    Outgoing message = message(1, List.of(new Header("traceparent", TRACEPARENT)));
    traced.send(message);

    assertThat(wire.sent).containsExactly(message);
  }

  @Test
  void aHandlerRunsInASpanOfTheEventsTrace() throws Exception {
    Interceptor interceptor = tracing.interceptor(KAFKA);
    List<String> current = new ArrayList<>();
    interceptor.around(
        List.of(event("e-1", TRACEPARENT)),
        () -> current.add(Span.current().getSpanContext().getSpanId()));

    SpanData span = span();
    assertThat(span.getName()).isEqualTo("process orders");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getAttributes().get(Messaging.SYSTEM)).isEqualTo("kafka");
    assertThat(current).containsExactly(span.getSpanId());
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void aHandlerThatFailsHasASpanWithItsError() {
    Interceptor interceptor = tracing.interceptor(BrokerClient.of(Transport.RABBITMQ));
    IllegalStateException failure = new IllegalStateException("no");

    assertThatThrownBy(
            () ->
                interceptor.around(
                    List.of(event("e-1", TRACEPARENT)),
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span().getEvents()).hasSize(1);
    assertThat(span().getAttributes().get(Messaging.SYSTEM)).isEqualTo("rabbitmq");
  }

  @Test
  void aBatchBeginsATraceAndIsLinkedToThoseOfItsEvents() throws Exception {
    String other = TRACE.replace('4', '5');
    tracing
        .interceptor(KAFKA)
        .around(
            List.of(event("e-1", TRACEPARENT), event("e-2", "00-" + other + "-" + PARENT + "-01")),
            () -> {});

    SpanData span = span();
    assertThat(span.getTraceId()).isNotIn(TRACE, other);
    assertThat(span.getLinks())
        .extracting(LinkData::getSpanContext)
        .extracting(context -> context.getTraceId())
        .containsExactly(TRACE, other);
    assertThat(span.getAttributes().get(Messaging.BATCH)).isEqualTo(2);
  }
}

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
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.encode.Decoded;
import io.waybill.encode.Decoder;
import io.waybill.inbox.Interceptor;
import io.waybill.jdbc.dialect.AppendDialect;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.outbox.Outbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WaybillTracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  @RegisterExtension
  static final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private final WaybillTracing tracing = WaybillTracing.of(telemetry.getOpenTelemetry());

  /** A broker that keeps what it is sent and answers on demand. */
  private static final class Wire implements Publisher, PublisherListener {
    private final List<Outgoing> sent = new ArrayList<>();
    private final List<Confirmation> told = new ArrayList<>();
    private PublisherListener listener = this;

    @Override
    public void start(PublisherListener told) {
      listener = told;
    }

    @Override
    public void send(Outgoing message) {
      sent.add(message);
    }

    @Override
    public int maxInFlightPerKey() {
      return 7;
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(7);
    }

    @Override
    public void onConfirmation(Confirmation confirmation) {
      told.add(confirmation);
    }

    @Override
    public void unavailable(String reason) {}

    @Override
    public void available() {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public void close() {}
  }

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
    return Event.builder("paid").json("{}").build().withTraceparent(traceparent);
  }

  @Test
  void eachEventOfABatchStaysInItsOwnTrace() throws SQLException {
    List<Event> kept = new ArrayList<>();
    String other = "00-" + TRACE.replace('4', '5') + "-" + PARENT + "-01";
    Span batch = telemetry.getOpenTelemetry().getTracer("test").spanBuilder("batch").startSpan();
    Scope scope = batch.makeCurrent();
    try {
      String own = Spans.traceparent(batch, null);
      tracing
          .outbox(keeping(kept))
          .append(
              connection(),
              List.of(
                  caused(TRACEPARENT),
                  caused(other),
                  caused(String.valueOf(own)),
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
    Publisher traced = tracing.publisher(wire, Transport.KAFKA);
    traced.start(wire);
    Header own = new Header("tenant", "acme");
    traced.send(message(1, List.of(own, new Header("traceparent", TRACEPARENT))));
    assertThat(telemetry.getSpans()).isEmpty();
    wire.listener.onConfirmation(new Confirmation.Confirmed(1));

    SpanData span = span();
    assertThat(span.getName()).isEqualTo("publish order.placed");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(Spans.SYSTEM)).isEqualTo("kafka");
    assertThat(span.getAttributes().get(Spans.DESTINATION)).isEqualTo("orders");
    assertThat(span.getAttributes().get(Spans.MESSAGE_ID)).isEqualTo("e-1");
    assertThat(wire.sent.get(0).headers())
        .containsExactly(
            own, new Header("traceparent", "00-" + TRACE + "-" + span.getSpanId() + "-01"));
    assertThat(wire.told).containsExactly(new Confirmation.Confirmed(1));
    assertThat(traced.maxInFlightPerKey()).isEqualTo(7);
    assertThat(traced.deliveryTimeout()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void aSendThatFailsHasASpanWithTheReason() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, Transport.KAFKA);
    traced.start(wire);
    traced.send(message(1, List.of(new Header("traceparent", TRACEPARENT))));
    wire.listener.onConfirmation(new Confirmation.Rejected(1, "record-too-large", "1 MiB"));

    assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span().getStatus().getDescription()).isEqualTo("record-too-large");
  }

  @Test
  void aMessageWithoutATraceStaysAsItIs() {
    Wire wire = new Wire();
    Publisher traced = tracing.publisher(wire, Transport.KAFKA);
    traced.start(wire);
    Outgoing message = message(1, List.of(new Header("tenant", "acme")));
    traced.send(message);
    wire.listener.onConfirmation(new Confirmation.Confirmed(1));

    assertThat(wire.sent).containsExactly(message);
    assertThat(telemetry.getSpans()).isEmpty();
  }

  @Test
  void withoutATracerNothingChanges() {
    Wire wire = new Wire();
    Publisher traced = WaybillTracing.of(OpenTelemetry.noop()).publisher(wire, Transport.RABBITMQ);
    traced.start(wire);
    Outgoing message = message(1, List.of(new Header("traceparent", TRACEPARENT)));
    traced.send(message);

    assertThat(wire.sent).containsExactly(message);
  }

  @Test
  void aHandlerRunsInASpanOfTheEventsTrace() throws Exception {
    Interceptor interceptor = tracing.interceptor(Transport.KAFKA);
    List<String> current = new ArrayList<>();
    interceptor.around(
        List.of(event("e-1", TRACEPARENT)),
        () -> current.add(Span.current().getSpanContext().getSpanId()));

    SpanData span = span();
    assertThat(span.getName()).isEqualTo("process order.placed");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getAttributes().get(Spans.SYSTEM)).isEqualTo("kafka");
    assertThat(current).containsExactly(span.getSpanId());
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void aHandlerThatFailsHasASpanWithItsError() {
    Interceptor interceptor = tracing.interceptor(Transport.RABBITMQ);
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
    assertThat(span().getAttributes().get(Spans.SYSTEM)).isEqualTo("rabbitmq");
  }

  @Test
  void aBatchBeginsATraceAndIsLinkedToThoseOfItsEvents() throws Exception {
    String other = TRACE.replace('4', '5');
    tracing
        .interceptor(Transport.KAFKA)
        .around(
            List.of(event("e-1", TRACEPARENT), event("e-2", "00-" + other + "-" + PARENT + "-01")),
            () -> {});

    SpanData span = span();
    assertThat(span.getTraceId()).isNotIn(TRACE, other);
    assertThat(span.getLinks())
        .extracting(LinkData::getSpanContext)
        .extracting(context -> context.getTraceId())
        .containsExactly(TRACE, other);
    assertThat(span.getAttributes().get(Spans.BATCH)).isEqualTo(2);
  }
}

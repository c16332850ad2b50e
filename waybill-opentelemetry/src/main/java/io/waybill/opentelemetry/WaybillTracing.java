package io.waybill.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.inbox.Interceptor;
import io.waybill.outbox.Outbox;
import java.util.Objects;

/**
 * Makes an event's way one trace: the span that appends it is the parent of the one that sends it,
 * which is the parent of every consumer's. The context is in the row between the first two ({@code
 * traceparent}, and {@code tracestate} among the headers), and in the headers of the message from
 * there on. Thread-safe.
 *
 * <p>Spans of sends and handlers follow OpenTelemetry's semantic conventions for messaging, version
 * 1.45.0; the message's context is the parent of a handler's span. The key of a message is no
 * attribute, since keys may name people. {@code error.type} is the reason of a send that failed
 * ({@link io.waybill.broker.Confirmation.NotConfirmed#reason()}), and the class of a handler's
 * exception.
 *
 * <pre>{@code
 * WaybillTracing tracing = WaybillTracing.of(openTelemetry);
 * TracedOutbox events = tracing.outbox(outbox);
 * BrokerClient kafka = BrokerClient.of(Transport.KAFKA).server("kafka.example.com", 9092);
 * Waybill.builder().publisher(() -> tracing.publisher(publisher(), kafka));
 * Inbox.builder().interceptor(tracing.interceptor(kafka.consumerGroup("billing")));
 * }</pre>
 */
public final class WaybillTracing {
  private final Spans spans;

  private WaybillTracing(Spans spans) {
    this.spans = spans;
  }

  /**
   * Traces with the tracer {@code io.waybill}.
   *
   * @param telemetry makes the spans; {@link OpenTelemetry#noop()} leaves all events as they are
   * @return the traced parts
   */
  public static WaybillTracing of(OpenTelemetry telemetry) {
    Objects.requireNonNull(telemetry, "telemetry");
    return new WaybillTracing(new Spans(telemetry.getTracer("io.waybill"), false));
  }

  /**
   * The same, whose spans of single messages have {@code messaging.message.body.size} as well.
   *
   * @return changed copy
   */
  public WaybillTracing withBodySizes() {
    return new WaybillTracing(spans.withBodySizes());
  }

  /**
   * Appends events in a span each, which is the child of the current span, else the first of a
   * trace; an event whose {@code traceparent} is of another trace stays in that one. The span is an
   * internal one: which broker the event goes to is not known yet.
   *
   * @param outbox what appends
   * @return the same, traced
   */
  public TracedOutbox outbox(Outbox outbox) {
    return new TracedOutbox(outbox, spans);
  }

  /**
   * Publishes each message that has a trace in a span, which ends with the broker's confirmation.
   * The headers {@code traceparent} and {@code tracestate} become those of the span; a body that
   * names the context of the row, as structured CloudEvents do, stays as it is.
   *
   * @param publisher what publishes
   * @param client who publishes, and where
   * @return the same, traced
   */
  public Publisher publisher(Publisher publisher, BrokerClient client) {
    return new TracingPublisher(publisher, spans, client);
  }

  /**
   * Calls handlers in a current span, which is the child of the event's trace context; that of a
   * batch of several events begins a trace and is linked to all of theirs.
   *
   * @param client who receives, and from where
   * @return to be given to an inbox
   */
  public Interceptor interceptor(BrokerClient client) {
    return new TracingInterceptor(spans, client);
  }
}

package io.waybill.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.handler.Interceptor;
import io.waybill.outbox.Outbox;
import java.util.Objects;

/**
 * Records an event's way as one trace. The span of the append is the parent of the span of the
 * send, which is the parent of each consumer's span. The row carries the context from append to
 * send ({@code traceparent}, and {@code tracestate} among the headers); from there on the message's
 * headers carry it. Thread-safe.
 *
 * <p>Spans of sends and handlers follow OpenTelemetry's semantic conventions for messaging, version
 * 1.45.0; the message's context is the parent of a handler's span. The key of a message is not an
 * attribute, because keys may name people. {@code error.type} is the reason of a send that failed
 * ({@link io.waybill.broker.Confirmation.NotConfirmed#reason()}), and the class of a handler's
 * exception.
 *
 * <pre>{@code
 * WaybillTracing tracing = WaybillTracing.of(openTelemetry);
 * TracedOutbox events = tracing.outbox(outbox);
 * BrokerClient kafka = broker.client();
 * Waybill.relay("orders-1").decoratePublisher(publisher -> tracing.publisher(publisher, kafka));
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
   * Adds {@code messaging.message.body.size} to the spans of single messages.
   *
   * @return changed copy
   */
  public WaybillTracing withBodySizes() {
    return new WaybillTracing(spans.withBodySizes());
  }

  /**
   * Appends each event in a span: a child of the current span, or the root of a new trace without
   * one. An event whose {@code traceparent} belongs to another trace stays in that trace. The kind
   * of the span is internal, because the broker is not known yet.
   *
   * @param outbox appends the events
   * @return the same, traced
   */
  public TracedOutbox outbox(Outbox outbox) {
    return new TracedOutbox(outbox, spans);
  }

  /**
   * Publishes each message that has a trace in a span, which ends with the broker's confirmation.
   * The headers {@code traceparent} and {@code tracestate} become those of the span. A body that
   * contains the context of the row, such as a structured CloudEvent, stays as it is.
   *
   * @param publisher publishes the messages
   * @param client names the publishing client and its server
   * @return the same, traced
   */
  public Publisher publisher(Publisher publisher, BrokerClient client) {
    return new TracingPublisher(publisher, spans, client);
  }

  /**
   * Calls handlers in a current span, which is a child of the event's trace context. The span of a
   * batch of several events begins a new trace and links to all of theirs.
   *
   * @param client names the receiving client and its source
   * @return interceptor for an inbox
   */
  public Interceptor interceptor(BrokerClient client) {
    return new TracingInterceptor(spans, client);
  }
}

package io.waybill.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.broker.Publisher;
import io.waybill.inbox.Interceptor;
import io.waybill.message.Transport;
import io.waybill.outbox.Outbox;
import java.util.Objects;

/**
 * Makes an event's way one trace: the span that appends it is the parent of the one that publishes
 * it, which is the parent of every consumer's. The context is in the column {@code traceparent}
 * between the first two and in the header of that name from there on. Thread-safe.
 *
 * <pre>{@code
 * WaybillTracing tracing = WaybillTracing.of(openTelemetry);
 * TracedOutbox events = tracing.outbox(outbox);
 * Waybill.builder().publisher(() -> tracing.publisher(publisher(), Transport.KAFKA));
 * Inbox.builder().interceptor(tracing.interceptor(Transport.KAFKA));
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
    return new WaybillTracing(new Spans(telemetry.getTracer("io.waybill")));
  }

  /**
   * Appends events in a span each, which is the child of the current span, else the first of a
   * trace; an event whose {@code traceparent} is of another trace stays in that one.
   *
   * @param outbox what appends
   * @return the same, traced
   */
  public TracedOutbox outbox(Outbox outbox) {
    return new TracedOutbox(outbox, spans);
  }

  /**
   * Publishes each message that has a trace in a span, which ends with the broker's confirmation.
   * The header {@code traceparent} becomes that of the span; a body that names the context of the
   * row, as structured CloudEvents do, stays as it is.
   *
   * @param publisher what publishes
   * @param transport kind of broker that it publishes to
   * @return the same, traced
   */
  public Publisher publisher(Publisher publisher, Transport transport) {
    return new TracingPublisher(publisher, spans, Spans.system(transport));
  }

  /**
   * Calls handlers in a current span, which is the child of the event's {@code traceparent}; that
   * of a batch of several events begins a trace and is linked to all of theirs.
   *
   * @param transport kind of broker that events come from
   * @return to be given to an inbox
   */
  public Interceptor interceptor(Transport transport) {
    return new TracingInterceptor(spans, Spans.system(transport));
  }
}

package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.opentelemetry.Spans.Operation;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A publisher with a span around each send of a message that has a trace. */
final class TracingPublisher extends ForwardingPublisher {
  private final Spans spans;
  private final String system;
  private final Map<Long, Span> open = new ConcurrentHashMap<>();

  TracingPublisher(Publisher publisher, Spans spans, String system) {
    super(publisher);
    this.spans = spans;
    this.system = system;
  }

  @Override
  public void send(Outgoing message) {
    String traceparent = message.header(Spans.TRACEPARENT);
    if (traceparent == null) {
      super.send(message);
      return;
    }
    Span span =
        spans
            .builder(Operation.PUBLISH, message.eventType(), Spans.context(traceparent))
            .setAttribute(Spans.SYSTEM, system)
            .setAttribute(Spans.DESTINATION, message.destination().name())
            .setAttribute(Spans.MESSAGE_ID, message.eventId())
            .startSpan();
    // Before the send: its outcome may come at once.
    open.put(message.sendId(), span);
    String current = Objects.requireNonNull(Spans.traceparent(span, traceparent));
    super.send(message.replaceHeader(Spans.TRACEPARENT, current));
  }

  /** Ends the span before the outcome is told on. */
  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    Span span = open.remove(confirmation.sendId());
    if (span != null) {
      if (confirmation instanceof Confirmation.NotConfirmed failed) {
        span.setStatus(StatusCode.ERROR, failed.reason());
      }
      span.end();
    }
    super.outcome(confirmation, listener);
  }
}

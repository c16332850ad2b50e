package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.TraceContext;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A publisher with a span around each send of a message that has a trace. */
final class TracingPublisher extends ForwardingPublisher {
  private final Spans spans;
  private final BrokerClient client;
  private final Map<Long, Span> open = new ConcurrentHashMap<>();

  TracingPublisher(Publisher publisher, Spans spans, BrokerClient client) {
    super(publisher);
    this.spans = spans;
    this.client = client;
  }

  @Override
  public void send(Outgoing message) {
    TraceContext row = message.traceContext();
    if (row == null) {
      super.send(message);
      return;
    }
    Span span = spans.send(message, row, client);
    // Before the send: its outcome may come at once.
    open.put(message.sendId(), span);
    super.send(message.withTraceContext(Objects.requireNonNull(Spans.text(span, row))));
  }

  /** Ends the span before the outcome is told on. */
  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    Span span = open.remove(confirmation.sendId());
    if (span != null) {
      if (confirmation instanceof Confirmation.NotConfirmed failed) {
        span.setAttribute(Messaging.ERROR, failed.reason());
        span.setStatus(StatusCode.ERROR, failed.detail());
      } else if (confirmation instanceof Confirmation.Confirmed stored && stored.offset() >= 0) {
        span.setAttribute(Messaging.PARTITION, Integer.toString(stored.partition()));
        span.setAttribute(Messaging.OFFSET, stored.offset());
      }
      span.end();
    }
    super.outcome(confirmation, listener);
  }
}

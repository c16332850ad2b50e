package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Header;
import io.waybill.opentelemetry.Spans.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A publisher with a span around each send of a message that has a trace. */
final class TracingPublisher implements Publisher {
  private final Publisher publisher;
  private final Spans spans;
  private final String system;
  private final Map<Long, Span> open = new ConcurrentHashMap<>();

  TracingPublisher(Publisher publisher, Spans spans, String system) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
    this.spans = spans;
    this.system = system;
  }

  @Override
  public void start(PublisherListener listener) {
    publisher.start(new Listening(listener));
  }

  @Override
  public void send(Outgoing message) {
    String traceparent = traceparent(message);
    if (traceparent == null) {
      publisher.send(message);
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
    publisher.send(in(span, message, traceparent));
  }

  private static @Nullable String traceparent(Outgoing message) {
    for (Header header : message.headers()) {
      if (header.name().equals(Spans.TRACEPARENT)) {
        return header.value();
      }
    }
    return null;
  }

  private static Outgoing in(Span span, Outgoing message, String otherwise) {
    String traceparent = Objects.requireNonNull(Spans.traceparent(span, otherwise));
    List<Header> headers = new ArrayList<>(message.headers());
    headers.replaceAll(
        header ->
            header.name().equals(Spans.TRACEPARENT)
                ? new Header(Spans.TRACEPARENT, traceparent)
                : header);
    return new Outgoing(
        message.sendId(),
        message.destination(),
        message.key(),
        message.body(),
        message.contentType(),
        message.eventId(),
        message.eventType(),
        message.timestampMillis(),
        headers);
  }

  @Override
  public void flush() {
    publisher.flush();
  }

  @Override
  public int maxInFlightPerKey() {
    return publisher.maxInFlightPerKey();
  }

  @Override
  public Duration deliveryTimeout() {
    return publisher.deliveryTimeout();
  }

  @Override
  public void close() {
    publisher.close();
  }

  /** Ends spans before the outcome is told on. */
  private final class Listening implements PublisherListener {
    private final PublisherListener listener;

    Listening(PublisherListener listener) {
      this.listener = listener;
    }

    @Override
    public void onConfirmation(Confirmation confirmation) {
      Span span = open.remove(confirmation.sendId());
      if (span != null) {
        if (confirmation instanceof Confirmation.Rejected rejected) {
          span.setStatus(StatusCode.ERROR, rejected.reason());
        } else if (confirmation instanceof Confirmation.Unknown unknown) {
          span.setStatus(StatusCode.ERROR, unknown.reason());
        }
        span.end();
      }
      listener.onConfirmation(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      listener.unavailable(reason);
    }

    @Override
    public void available() {
      listener.available();
    }
  }
}

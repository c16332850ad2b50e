package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.waybill.message.Event;
import io.waybill.message.TraceContext;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An {@link Outbox} whose events carry the span in which they were appended. Thread-safe. */
public final class TracedOutbox {
  private final Outbox outbox;
  private final Spans spans;

  TracedOutbox(Outbox outbox, Spans spans) {
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.spans = spans;
  }

  /**
   * Appends one event, as {@link Outbox#append(Connection, Event)} does.
   *
   * @param connection the connection of the business transaction
   * @param event the event; its trace context becomes that of the new span
   * @throws SQLException if the database reports an error
   */
  public void append(Connection connection, Event event) throws SQLException {
    append(connection, List.of(event));
  }

  /**
   * Appends events in their order, as {@link Outbox#append(Connection, List)} does.
   *
   * @param connection the connection of the business transaction
   * @param events the events; the trace context of each becomes that of its span
   * @throws SQLException if the database reports an error
   */
  public void append(Connection connection, List<Event> events) throws SQLException {
    List<Span> begun = new ArrayList<>(events.size());
    try {
      List<Event> traced = new ArrayList<>(events.size());
      for (Event event : events) {
        Span span = begin(event);
        begun.add(span);
        traced.add(in(span, event));
      }
      outbox.append(connection, traced);
    } catch (SQLException | RuntimeException e) {
      begun.forEach(span -> Spans.failed(span, e));
      throw e;
    } finally {
      begun.forEach(Span::end);
    }
  }

  /**
   * Reports that a transaction with appended events was committed, see {@link Outbox#committed()}.
   */
  public void committed() {
    outbox.committed();
  }

  /**
   * The current span is the parent, unless the event names another trace, as one of a batch may.
   */
  private Span begin(Event event) {
    Context own = Spans.context(TraceContext.of(event.traceparent(), event.tracestate()));
    SpanContext named = Span.fromContext(own).getSpanContext();
    SpanContext current = Span.current().getSpanContext();
    boolean another = named.isValid() && !named.getTraceId().equals(current.getTraceId());
    return spans.append(event, current.isValid() && !another ? Context.current() : own);
  }

  private static Event in(Span span, Event event) {
    return event.withTraceContext(
        Spans.text(span, TraceContext.of(event.traceparent(), event.tracestate())));
  }
}

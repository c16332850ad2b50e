package io.waybill.examples.services.wallet;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Keeps the trace of the request beside the event's row, where the relay finds it: the table {@code
 * outbox} has no column for it. Thread-safe.
 */
@Component
class EventTraces {
  private static final String INSERT =
      """
      insert into waybill_outbox_row_context (row_id, traceparent) values (?, ?)""";

  private final Tracer tracer;
  private final JdbcClient jdbc;

  EventTraces(Tracer tracer, JdbcClient jdbc) {
    this.tracer = tracer;
    this.jdbc = jdbc;
  }

  /** Writes it in the running transaction; without a trace, nothing. */
  void keep(long rowId) {
    TraceContext context = tracer.currentTraceContext().context();
    if (context != null) {
      String flags = Boolean.TRUE.equals(context.sampled()) ? "01" : "00";
      String traceparent = "00-" + context.traceId() + "-" + context.spanId() + "-" + flags;
      jdbc.sql(INSERT).params(rowId, traceparent).update();
    }
  }
}

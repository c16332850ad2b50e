package io.waybill.examples.services.wallet;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The trace of the running request. Thread-safe. */
@Component
class CurrentTrace {
  private final Tracer tracer;

  CurrentTrace(Tracer tracer) {
    this.tracer = tracer;
  }

  /** As W3C writes it, or null if there is none. */
  @Nullable String traceparent() {
    TraceContext context = tracer.currentTraceContext().context();
    if (context == null) {
      return null;
    }
    String flags = Boolean.TRUE.equals(context.sampled()) ? "01" : "00";
    return "00-" + context.traceId() + "-" + context.spanId() + "-" + flags;
  }
}

package io.waybill.spring.autoconfigure;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.waybill.message.TraceContext;
import io.waybill.spring.CurrentTraceContext;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Events carry the trace context of the code that appends them. */
@AutoConfiguration(
    before = WaybillAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration"
    })
@ConditionalOnClass(Tracer.class)
@ConditionalOnBean(Tracer.class)
@ConditionalOnBooleanProperty(name = "waybill.enabled", matchIfMissing = true)
public class WaybillTracingAutoConfiguration {
  private static final int TRACE_DIGITS = 32;
  private static final int SPAN_DIGITS = 16;

  /** For Spring. */
  public WaybillTracingAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  CurrentTraceContext waybillTraceContext(Tracer tracer, ObjectProvider<Propagator> propagators) {
    Propagator propagator = propagators.getIfUnique(() -> Propagator.NOOP);
    return () -> context(tracer.currentSpan(), propagator);
  }

  /** As the application propagates it; another format than W3C's says no more than the ids. */
  private static @Nullable TraceContext context(@Nullable Span span, Propagator propagator) {
    if (span == null || span.isNoop()) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    propagator.inject(
        span.context(),
        headers,
        (carrier, name, value) -> {
          if (carrier != null) {
            carrier.put(name, value);
          }
        });
    String traceparent = headers.get(TraceContext.TRACEPARENT);
    return TraceContext.of(
        traceparent == null ? traceparent(span) : traceparent,
        headers.get(TraceContext.TRACESTATE));
  }

  private static @Nullable String traceparent(Span span) {
    String trace = span.context().traceId();
    String id = span.context().spanId();
    if (trace.isEmpty() || trace.length() > TRACE_DIGITS || id.length() != SPAN_DIGITS) {
      return null;
    }
    String flags = Boolean.TRUE.equals(span.context().sampled()) ? "01" : "00";
    return "00-" + "0".repeat(TRACE_DIGITS - trace.length()) + trace + "-" + id + "-" + flags;
  }
}

package io.waybill.spring.autoconfigure;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.waybill.spring.TraceContext;
import org.jspecify.annotations.Nullable;
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
  TraceContext waybillTraceContext(Tracer tracer) {
    return () -> traceparent(tracer.currentSpan());
  }

  private static @Nullable String traceparent(@Nullable Span span) {
    if (span == null || span.isNoop()) {
      return null;
    }
    String trace = span.context().traceId();
    String id = span.context().spanId();
    if (trace.isEmpty() || trace.length() > TRACE_DIGITS || id.length() != SPAN_DIGITS) {
      return null;
    }
    String flags = Boolean.TRUE.equals(span.context().sampled()) ? "01" : "00";
    return "00-" + "0".repeat(TRACE_DIGITS - trace.length()) + trace + "-" + id + "-" + flags;
  }
}

package io.waybill.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.waybill.message.Transport;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Spans with the names of OpenTelemetry's conventions for messaging, and their context as text.
 * Thread-safe.
 */
final class Spans {
  static final String TRACEPARENT = "traceparent";

  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");
  static final AttributeKey<Long> BATCH = AttributeKey.longKey("messaging.batch.message_count");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");

  /** A text as the one header that there is. */
  private static final TextMapGetter<String> ONLY =
      (text, name) -> name.equals(TRACEPARENT) ? text : null;

  private final Tracer tracer;

  Spans(Tracer tracer) {
    this.tracer = tracer;
  }

  /** What is done with an event: the span's name begins with it. */
  enum Operation {
    APPEND("append", "create", SpanKind.PRODUCER),
    PUBLISH("publish", "send", SpanKind.PRODUCER),
    PROCESS("process", "process", SpanKind.CONSUMER);

    private final String name;
    private final String type;
    private final SpanKind kind;

    Operation(String name, String type, SpanKind kind) {
      this.name = name;
      this.type = type;
      this.kind = kind;
    }
  }

  SpanBuilder builder(Operation operation, String eventType, Context parent) {
    return tracer
        .spanBuilder(operation.name + " " + eventType)
        .setSpanKind(operation.kind)
        .setParent(parent)
        .setAttribute(OPERATION, operation.name)
        .setAttribute(OPERATION_TYPE, operation.type);
  }

  static String system(Transport transport) {
    return switch (transport) {
      case KAFKA -> "kafka";
      case RABBITMQ -> "rabbitmq";
    };
  }

  /** The context that a text names; the root where it names none. */
  static Context context(@Nullable String traceparent) {
    return traceparent == null
        ? Context.root()
        : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, ONLY);
  }

  /** The text that names a span; the given one where the span is none. */
  static @Nullable String traceparent(Span span, @Nullable String otherwise) {
    SpanContext context = span.getSpanContext();
    if (!context.isValid()) {
      return otherwise;
    }
    AtomicReference<@Nullable String> text = new AtomicReference<>(otherwise);
    W3CTraceContextPropagator.getInstance()
        .inject(
            Context.root().with(span),
            text,
            (carrier, name, value) -> {
              if (carrier != null && name.equals(TRACEPARENT)) {
                carrier.set(value);
              }
            });
    return text.get();
  }

  static void failed(Span span, Throwable failure) {
    span.recordException(failure);
    span.setStatus(StatusCode.ERROR);
  }
}

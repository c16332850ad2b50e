package io.waybill.examples.polyshop;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;

/** A current span around each request, the child of its header {@code traceparent}. */
final class RequestSpans {
  private final Tracer tracer;

  RequestSpans(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("order-service");
  }

  Handler around(String name, Handler handler) {
    return request -> {
      Span span = begin(name, request);
      Scope scope = span.makeCurrent();
      try {
        handler.handle(request);
      } catch (Exception e) {
        span.recordException(e);
        span.setStatus(StatusCode.ERROR);
        throw e;
      } finally {
        scope.close();
        span.end();
      }
    };
  }

  private Span begin(String name, Context request) {
    io.opentelemetry.context.Context parent =
        W3CTraceContextPropagator.getInstance()
            .extract(
                io.opentelemetry.context.Context.root(),
                request,
                (carrier, header) -> carrier == null ? null : carrier.header(header));
    return tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER).setParent(parent).startSpan();
  }
}

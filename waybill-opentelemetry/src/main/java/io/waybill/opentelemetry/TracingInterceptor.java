package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.waybill.inbox.Interceptor;
import io.waybill.message.ReceivedEvent;
import io.waybill.opentelemetry.Spans.Operation;
import java.util.List;

/** A current span around each call of a handler. */
final class TracingInterceptor implements Interceptor {
  private final Spans spans;
  private final String system;

  TracingInterceptor(Spans spans, String system) {
    this.spans = spans;
    this.system = system;
  }

  @Override
  public void around(List<ReceivedEvent> events, Call call) throws Exception {
    Span span = begin(events);
    Scope scope = span.makeCurrent();
    try {
      call.run();
    } catch (Throwable thrown) {
      Spans.failed(span, thrown);
      throw thrown;
    } finally {
      scope.close();
      span.end();
    }
  }

  private Span begin(List<ReceivedEvent> events) {
    ReceivedEvent first = events.get(0);
    boolean single = events.size() == 1;
    Context parent = single ? Spans.context(first.traceparent()) : Context.root();
    SpanBuilder builder =
        spans
            .builder(Operation.PROCESS, first.type(), parent)
            .setAttribute(Spans.SYSTEM, system)
            .setAttribute(Spans.DESTINATION, first.channel());
    if (single) {
      return builder.setAttribute(Spans.MESSAGE_ID, first.id()).startSpan();
    }
    for (ReceivedEvent event : events) {
      builder.addLink(Span.fromContext(Spans.context(event.traceparent())).getSpanContext());
    }
    return builder.setAttribute(Spans.BATCH, (long) events.size()).startSpan();
  }
}

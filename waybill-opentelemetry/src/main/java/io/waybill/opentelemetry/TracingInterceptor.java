package io.waybill.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.waybill.broker.BrokerClient;
import io.waybill.handler.Interceptor;
import io.waybill.message.ReceivedEvent;
import java.util.List;

/** A current span around each call of a handler. */
final class TracingInterceptor implements Interceptor {
  private final Spans spans;
  private final BrokerClient client;

  TracingInterceptor(Spans spans, BrokerClient client) {
    this.spans = spans;
    this.client = client;
  }

  @Override
  public void around(List<ReceivedEvent> events, Call call) throws Exception {
    Span span =
        events.size() == 1 ? spans.process(events.get(0), client) : spans.process(events, client);
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
}

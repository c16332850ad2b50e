package io.waybill.examples.polyglot;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Place orders over HTTP, each in a trace of its own, as a gateway would begin it. */
final class Buyers {
  static final String NAME = "gateway";

  private static final int CREATED = 201;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI orders;
  private final Tracer tracer;

  Buyers(int port, OpenTelemetry telemetry) {
    orders = URI.create("http://127.0.0.1:" + port + "/orders");
    tracer = telemetry.getTracer(NAME);
  }

  /** Places an order of one to three books and a pen; returns the id of its trace. */
  String order(int number) throws IOException, InterruptedException {
    Span span = tracer.spanBuilder("POST /orders").setSpanKind(SpanKind.CLIENT).startSpan();
    try {
      HttpResponse<String> response =
          client.send(request(number, Context.root().with(span)), BodyHandlers.ofString());
      if (response.statusCode() != CREATED) {
        throw new IllegalStateException("The order service answered " + response.statusCode());
      }
      return span.getSpanContext().getTraceId();
    } finally {
      span.end();
    }
  }

  private HttpRequest request(int number, Context context) {
    String body =
        """
        {"userId": "user-%d", "items": [
          {"productId": "book", "quantity": %d, "unitPrice": 12.50},
          {"productId": "pen", "quantity": 1, "unitPrice": 0.99}]}"""
            .formatted(number, 1 + number % 3);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(orders)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    W3CTraceContextPropagator.getInstance()
        .inject(
            context,
            request,
            (carrier, name, value) -> {
              if (carrier != null) {
                carrier.header(name, value);
              }
            });
    return request.build();
  }
}

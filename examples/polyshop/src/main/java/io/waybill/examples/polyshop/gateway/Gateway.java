package io.waybill.examples.polyshop.gateway;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.waybill.examples.polyshop.common.EventMetadata;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Passes requests on to the service that answers them. Each begins a trace, or goes on with the
 * client's, and has a correlation id, which the answer tells.
 */
@RestController
@Profile("gateway")
class Gateway {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LONGEST).build();
  private final Map<String, URI> services;
  private final Tracer tracer;

  Gateway(
      OpenTelemetry telemetry,
      @Value("${polyshop.auth}") URI auth,
      @Value("${polyshop.product}") URI product,
      @Value("${polyshop.order}") URI order) {
    this.services = Map.of("users", auth, "products", product, "orders", order);
    this.tracer = telemetry.getTracer("gateway");
  }

  @PostMapping("/{resource}")
  ResponseEntity<String> pass(
      @PathVariable("resource") String resource,
      @RequestBody String body,
      @RequestHeader(name = EventMetadata.CORRELATION, required = false)
          @Nullable String correlationId,
      @RequestHeader(name = EventMetadata.IDEMPOTENCY, required = false)
          @Nullable String idempotencyKey)
      throws InterruptedException {
    URI service = services.get(resource);
    if (service == null) {
      return ResponseEntity.notFound().build();
    }
    String correlated = EventMetadata.correlated(correlationId);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.resolve("/" + resource))
            .timeout(LONGEST)
            .header("Content-Type", MediaType.APPLICATION_JSON_VALUE)
            .header(EventMetadata.CORRELATION, correlated)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (idempotencyKey != null) {
      request.header(EventMetadata.IDEMPOTENCY, idempotencyKey);
    }
    return send("POST /" + resource, request, correlated);
  }

  private ResponseEntity<String> send(
      String name, HttpRequest.Builder request, String correlationId) throws InterruptedException {
    Span span = tracer.spanBuilder(name).setSpanKind(SpanKind.CLIENT).startSpan();
    try {
      W3CTraceContextPropagator.getInstance()
          .inject(Context.current().with(span), request, Gateway::header);
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return ResponseEntity.status(answer.statusCode())
          .contentType(MediaType.APPLICATION_JSON)
          .header(EventMetadata.CORRELATION, correlationId)
          .body(answer.body());
    } catch (IOException e) {
      span.setStatus(StatusCode.ERROR);
      return ResponseEntity.status(HttpStatus.BAD_GATEWAY)
          .header(EventMetadata.CORRELATION, correlationId)
          .build();
    } finally {
      span.end();
    }
  }

  private static void header(HttpRequest.@Nullable Builder request, String name, String value) {
    if (request != null) {
      request.header(name, value);
    }
  }
}

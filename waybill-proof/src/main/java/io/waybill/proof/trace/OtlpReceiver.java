package io.waybill.proof.trace;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives spans by OTLP over HTTP, in protobuf and in JSON, and keeps them. Thread-safe. */
public final class OtlpReceiver implements AutoCloseable {
  private static final String SERVICE = "service.name";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<ExportedSpan> spans = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  private OtlpReceiver(HttpServer server) {
    this.server = server;
    server.createContext("/v1/traces", this::take);
  }

  /**
   * Listens on a free port of the loopback interface.
   *
   * @return the running receiver
   * @throws IOException if it cannot listen
   */
  public static OtlpReceiver start() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    OtlpReceiver receiver = new OtlpReceiver(HttpServer.create(any, 0));
    receiver.server.start();
    return receiver;
  }

  /**
   * What exporters are given; the path {@code /v1/traces} belongs to it.
   *
   * @return URL without path
   */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * What has come so far.
   *
   * @return the spans in the order of their arrival
   */
  public List<ExportedSpan> spans() {
    return List.copyOf(spans);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type != null && type.startsWith("application/json")) {
        json(JSON.readTree(body));
        answer(exchange, type, "{}".getBytes(StandardCharsets.UTF_8));
      } else {
        protobuf(ExportTraceServiceRequest.parseFrom(body));
        answer(exchange, "application/x-protobuf", new byte[0]);
      }
    }
  }

  private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private void protobuf(ExportTraceServiceRequest request) {
    request
        .getResourceSpansList()
        .forEach(
            resource ->
                resource.getScopeSpansList().stream()
                    .flatMap(scope -> scope.getSpansList().stream())
                    .forEach(
                        span ->
                            spans.add(
                                new ExportedSpan(
                                    service(resource.getResource()),
                                    span.getName(),
                                    hex(span.getTraceId()),
                                    hex(span.getSpanId()),
                                    hex(span.getParentSpanId()),
                                    span.getStartTimeUnixNano()))));
  }

  private static String service(Resource resource) {
    return resource.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals(SERVICE))
        .map(attribute -> attribute.getValue().getStringValue())
        .findFirst()
        .orElse("");
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  /** OTLP's own JSON: ids are hexadecimal, which protobuf's mapping would have in base64. */
  private void json(JsonNode request) {
    for (JsonNode resource : request.path("resourceSpans")) {
      String service = service(resource.path("resource"));
      for (JsonNode scope : resource.path("scopeSpans")) {
        for (JsonNode span : scope.path("spans")) {
          spans.add(
              new ExportedSpan(
                  service,
                  span.path("name").asString(""),
                  span.path("traceId").asString(""),
                  span.path("spanId").asString(""),
                  span.path("parentSpanId").asString(""),
                  span.path("startTimeUnixNano").asLong(0)));
        }
      }
    }
  }

  private static String service(JsonNode resource) {
    for (JsonNode attribute : resource.path("attributes")) {
      if (attribute.path("key").asString("").equals(SERVICE)) {
        return attribute.path("value").path("stringValue").asString("");
      }
    }
    return "";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

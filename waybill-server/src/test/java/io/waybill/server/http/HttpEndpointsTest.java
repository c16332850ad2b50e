package io.waybill.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.observe.HealthLimits;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpEndpointsTest {
  private final OutboxHealth health =
      new OutboxHealth(
          "orders",
          HealthLimits.of(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(10)),
          System::nanoTime);
  private final HttpEndpoints endpoints =
      HttpEndpoints.start("127.0.0.1", 0, List.of(health), () -> "waybill_events_total 1\n");
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    endpoints.close();
  }

  @Test
  void livezAnswersWhileTheProcessWorks() throws Exception {
    HttpResponse<String> response = get("/livez");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("\"ok\":true");
  }

  @Test
  void readyzAnswers503WithReasonsUntilTheRelayMakesProgress() throws Exception {
    HttpResponse<String> before = get("/readyz");
    assertThat(before.statusCode()).isEqualTo(503);
    assertThat(before.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(before.body()).contains("\"ok\":false").contains("the relay does not run");

    health.on(new RelayEvent.Started("relay-1"));
    health.on(new RelayEvent.Joined("relay-1", 1));
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void metricsHasPrometheusTextForm() throws Exception {
    HttpResponse<String> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    assertThat(response.body()).isEqualTo("waybill_events_total 1\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/health", "/metrics/x", "/..%2f..%2fetc/passwd", "/livez%00", "//livez"})
  void nothingElseIsServed(String path) throws Exception {
    assertThat(get(path).statusCode()).isBetween(400, 499);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE"})
  void onlyGetIsServed(String method) throws Exception {
    HttpRequest request = request("/livez").method(method, BodyPublishers.ofString("x")).build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isBetween(400, 499);
  }

  @Test
  void aMethodOverrideIsRefused() throws Exception {
    HttpRequest request =
        request("/livez").header("X-HTTP-Method-Override", "DELETE").GET().build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void largeHeadersAreRefused() throws Exception {
    HttpRequest request = request("/livez").header("X-Large", "x".repeat(20_000)).GET().build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(431);
  }

  @Test
  void aLargeBodyIsNotRead() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoints.port())) {
      socket.setSoTimeout(10_000);
      String head = "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII))
          .startsWith("HTTP/1.1 4");
    }
  }

  @Test
  void bindsTheGivenAddressOnly() {
    assertThat(endpoints.port()).isPositive();
    assertThatThrownBy(() -> new Socket(nonLoopback(), endpoints.port()).close())
        .isInstanceOf(IOException.class);
  }

  private static InetAddress nonLoopback() throws IOException {
    // The whole of 127/8 is this machine, and only 127.0.0.1 is bound.
    return InetAddress.getByName("127.0.0.2");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).GET().build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoints.port() + path))
        .timeout(Duration.ofSeconds(10));
  }
}

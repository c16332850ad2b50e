package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay serves while its database and its broker are away. */
class RelayHttpTest {
  @TempDir private static Path folder;
  private static RelayProcess relay;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    relay = RelayProcess.start(Loaded.of(folder, Loaded.AWAY, Map.of()), () -> {}, cause -> {});
  }

  @AfterAll
  static void stop() {
    assertThat(relay.stop()).isTrue();
  }

  @Test
  void livezAnswersWhileTheProcessWorks() throws Exception {
    HttpResponse<String> response = get("/livez");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("\"waybillLiveness\":{\"status\":\"UP\"}");
  }

  @Test
  void readyzAnswers503WithTheReasonsOfEachOutbox() throws Exception {
    HttpResponse<String> response = get("/readyz");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("content-type").orElse("")).contains("json");
    assertThat(response.body()).contains("\"orders\":{\"details\":{", "\"reasons\":[");
  }

  @Test
  void metricsHavePrometheusTextForm() throws Exception {
    HttpResponse<String> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValueSatisfying(
            type -> assertThat(type).startsWith("text/plain").contains("version=0.0.4"));
    assertThat(response.body())
        .contains("waybill_in_flight_events{outbox=\"orders\"}", "jvm_memory_used_bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/env",
        "/beans",
        "/heapdump",
        "/shutdown",
        "/waybill",
        "/metrics/x",
        "/..%2f..%2fetc/passwd",
        "/livez%00"
      })
  void nothingElseIsServed(String path) throws Exception {
    assertThat(get(path).statusCode()).isBetween(400, 499);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE"})
  void nothingIsChanged(String method) throws Exception {
    HttpRequest request = request("/livez").method(method, BodyPublishers.ofString("x")).build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isBetween(400, 499);
  }

  @Test
  void aMethodOverrideChangesNothing() throws Exception {
    HttpRequest request =
        request("/livez").header("X-HTTP-Method-Override", "DELETE").GET().build();

    assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("livenessState");
  }

  @Test
  void largeHeadersAreRefused() throws Exception {
    HttpRequest request = request("/livez").header("X-Large", "x".repeat(20_000)).GET().build();

    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isBetween(400, 499);
  }

  @Test
  void aLargeBodyIsNotRead() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port())) {
      socket.setSoTimeout(10_000);
      String head = "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII))
          .startsWith("HTTP/1.1 4");
    }
  }

  @Test
  void bindsTheGivenAddressOnly() {
    assertThat(relay.port()).isPositive();
    // The whole of 127/8 is this machine, and only 127.0.0.1 is bound.
    assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), relay.port()).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void anAddressThatIsTakenOrOfAnotherMachineIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Loaded.AWAY.replace("port: 0", "port: " + taken.getLocalPort());
      assertThatThrownBy(
              () -> RelayProcess.start(Loaded.of(folder, port, Map.of()), () -> {}, cause -> {}))
          .isInstanceOf(PortTakenException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("server.port");
    }
    String elsewhere = Loaded.AWAY.replace("port: 0", "address: 192.0.2.1, port: 0");
    assertThatThrownBy(
            () -> RelayProcess.start(Loaded.of(folder, elsewhere, Map.of()), () -> {}, cause -> {}))
        .isInstanceOf(PortTakenException.class)
        .hasMessageContaining("192.0.2.1");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).GET().build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + relay.port() + path))
        .timeout(Duration.ofSeconds(10));
  }
}

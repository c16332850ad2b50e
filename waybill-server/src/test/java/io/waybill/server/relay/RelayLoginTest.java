package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.Certificates;
import io.waybill.testkit.Patience;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics with TLS and a login, probes without one, and reasons for those who have logged in. */
@Tag("long")
class RelayLoginTest {
  private static final String PASSWORD = "c4nary-s3cret";

  @TempDir private static Path folder;
  private static RelayProcess relay;
  private static HttpClient client;

  @BeforeAll
  static void start() throws Exception {
    Certificates certificates =
        new Certificates(folder).authority("root").issue("root", "relay", "dns:localhost");
    String yaml =
        Loaded.AWAY.replace("server: {port: 0}", "server: {port: 0, ssl.bundle: http}")
            + """
            spring:
              security.user: {name: operator, password: "${RELAY_PASSWORD}"}
              ssl.bundle.pem.http:
                keystore:
                  certificate: "file:%s"
                  private-key: "file:%s"
            """
                .formatted(certificates.file("relay.pem"), certificates.file("relay.key"));
    relay =
        RelayProcess.start(
            Loaded.of(folder, yaml, Map.of("RELAY_PASSWORD", PASSWORD)), () -> {}, cause -> {});
    KeyStore trusted =
        KeyStore.getInstance(
            certificates.file("root.p12").toFile(), Certificates.PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    client = HttpClient.newBuilder().sslContext(tls).build();
  }

  @AfterAll
  static void stop() {
    relay.stop();
  }

  @Test
  void metricsAreForThoseWhoHaveLoggedIn() throws Exception {
    assertThat(get("/metrics", null).statusCode()).isEqualTo(401);
    assertThat(get("/metrics", "wrong").statusCode()).isEqualTo(401);
    assertThat(get("/metrics", PASSWORD).body()).contains("waybill_in_flight_events");
  }

  @Test
  void probesAnswerEverybodyAndTellReasonsToThoseWhoHaveLoggedIn() throws Exception {
    HttpResponse<String> stranger = get("/readyz", null);
    assertThat(stranger.statusCode()).isEqualTo(503);
    assertThat(stranger.body()).contains("DOWN").doesNotContain("reasons", "orders");
    assertThat(get("/livez", null).statusCode()).isEqualTo(200);
    assertThat(get("/readyz", PASSWORD).body()).contains("reasons", "orders");
  }

  @Test
  void everythingElseAsksForALogin() throws Exception {
    assertThat(get("/", null).statusCode()).isEqualTo(401);
    assertThat(get("/health", null).statusCode()).isEqualTo(401);
  }

  private static HttpResponse<String> get(String path, @Nullable String password) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + relay.port() + path))
            .timeout(Patience.of(Duration.ofSeconds(10)));
    if (password != null) {
      String login = Base64.getEncoder().encodeToString(("operator:" + password).getBytes(UTF_8));
      request.header("Authorization", "Basic " + login);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}

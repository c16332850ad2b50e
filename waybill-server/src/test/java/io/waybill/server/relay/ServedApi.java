package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.testkit.Patience;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The API without a relay, of an outbox whose database is away, and a client of it. */
final class ServedApi implements AutoCloseable {
  private static final String KEYS = "SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_";

  private final RelayProcess process;
  private final HttpClient client = HttpClient.newHttpClient();

  private ServedApi(RelayProcess process) {
    this.process = process;
  }

  /** Starts it with further settings. */
  static ServedApi start(Path folder, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("WAYBILL_API_ENABLED", "true");
    all.put("WAYBILL_RELAY_ENABLED", "false");
    return new ServedApi(
        RelayProcess.start(Loaded.of(folder, Loaded.AWAY, all), () -> {}, cause -> {}));
  }

  /** Settings that take tokens of an issuer for {@link TestIssuer#AUDIENCE}. */
  static Map<String, String> issuer(String name) {
    return Map.of(KEYS + "ISSUERURI", name, KEYS + "AUDIENCES", TestIssuer.AUDIENCE);
  }

  static String basic(String user, String password) {
    return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  HttpResponse<String> bearer(String token, String path) {
    return get("Bearer " + token, path);
  }

  HttpResponse<String> get(@Nullable String authorization, String path) {
    return ask(authorization, path, Map.of()).join();
  }

  CompletableFuture<HttpResponse<String>> ask(
      @Nullable String authorization, String path, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.port() + path))
            .timeout(Patience.of(Duration.ofSeconds(30)));
    headers.forEach(request::header);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.stop();
  }
}

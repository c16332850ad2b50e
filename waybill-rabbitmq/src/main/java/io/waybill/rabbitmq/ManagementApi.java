package io.waybill.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The few questions that the checks ask the management API. */
final class ManagementApi {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int ALARM = 503;
  // A busy broker answers so now and then, and not to the next request.
  private static final int FAILED = 500;
  private static final int TRIES = 3;
  private static final long PAUSE_MILLIS = 200;
  private static final int MAX_ANSWER = 32 * 1024 * 1024;

  private final HttpClient client;
  private final RabbitManagement access;
  private final String virtualHost;

  ManagementApi(RabbitManagement access, RabbitPublisherConfig config) {
    PlaintextPasswords.check(access, config);
    this.access = access;
    this.virtualHost = encoded(config.virtualHost());
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(config.connectTimeout());
    RabbitTls tls = config.tls();
    if (tls != null) {
      builder.sslContext(tls.context());
      if (tls.parameters() != null) {
        builder.sslParameters(tls.parameters());
      }
    }
    this.client = builder.build();
  }

  /** The version of the broker, for example {@code 3.10.8}. */
  String version() throws IOException, InterruptedException {
    JsonValue overview = get("/api/overview");
    return overview == null ? "" : String.valueOf(overview.at("rabbitmq_version").text());
  }

  /** The queue as JSON object, or null when there is none. */
  @Nullable JsonValue queue(String name) throws IOException, InterruptedException {
    return get("/api/queues/" + virtualHost + "/" + encoded(name));
  }

  /** The bindings from an exchange, empty when there is none. */
  List<JsonValue> bindingsFrom(String exchange) throws IOException, InterruptedException {
    String path = "/api/exchanges/" + virtualHost + "/" + encoded(exchange) + "/bindings/source";
    JsonValue answer = get(path);
    return answer == null ? List.of() : answer.elements();
  }

  /** The exchange as JSON object, or null when there is none. */
  @Nullable JsonValue exchange(String name) throws IOException, InterruptedException {
    return get("/api/exchanges/" + virtualHost + "/" + encoded(name));
  }

  /** What a policy sets, or null when there is none or the user may not see it. */
  @Nullable JsonValue policy(String name) throws IOException, InterruptedException {
    return getIfAllowed("/api/policies/" + virtualHost + "/" + encoded(name));
  }

  /** The limits of the virtual host, empty when the user may not see them. */
  List<JsonValue> limits() throws IOException, InterruptedException {
    JsonValue answer = getIfAllowed("/api/vhost-limits/" + virtualHost);
    return answer == null ? List.of() : answer.elements();
  }

  /** The alarms in force, empty when there are none or the user may not see them. */
  List<JsonValue> alarms() throws IOException, InterruptedException {
    HttpResponse<InputStream> response = send("/api/health/checks/alarms");
    try (InputStream body = response.body()) {
      return response.statusCode() == ALARM
          ? JsonValue.parse(body.readNBytes(MAX_ANSWER)).at("alarms").elements()
          : List.of();
    }
  }

  private @Nullable JsonValue getIfAllowed(String path) throws IOException, InterruptedException {
    HttpResponse<InputStream> response = send(path);
    boolean denied = response.statusCode() == 401 || response.statusCode() == 403;
    if (denied) {
      response.body().close();
      return null;
    }
    return read(response);
  }

  private @Nullable JsonValue get(String path) throws IOException, InterruptedException {
    return read(send(path));
  }

  private HttpResponse<InputStream> send(String path) throws IOException, InterruptedException {
    HttpRequest request = request(path);
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    for (int tries = 1; tries < TRIES && response.statusCode() == FAILED; tries++) {
      response.body().close();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }
    return response;
  }

  private HttpRequest request(String path) {
    String credentials = access.username() + ":" + access.password();
    byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
    return HttpRequest.newBuilder(URI.create(access.url().resolve("/") + path.substring(1)))
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes))
        .timeout(LIMIT)
        .build();
  }

  private static @Nullable JsonValue read(HttpResponse<InputStream> response) throws IOException {
    try (InputStream body = response.body()) {
      if (response.statusCode() == 404) {
        return null;
      }
      if (response.statusCode() != 200) {
        throw new IOException("the management API answered " + response.statusCode());
      }
      byte[] answer = body.readNBytes(MAX_ANSWER + 1);
      if (answer.length > MAX_ANSWER) {
        throw new IOException("the management API answered more than " + MAX_ANSWER + " bytes");
      }
      return JsonValue.parse(answer);
    }
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

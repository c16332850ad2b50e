package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.server.relay.RelayProcess;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.testkit.Patience;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process that serves the API of a configuration without a relay, and a client of it. */
final class ApiServer implements AutoCloseable {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private final RelayProcess process;
  private final HttpClient client = HttpClient.newHttpClient();

  private final @Nullable Map<String, Login> logins;

  /** What a browser has of a login. */
  private record Login(String cookie, String token) {}

  private ApiServer(RelayProcess process, @Nullable Map<String, Login> logins) {
    this.process = process;
    this.logins = logins;
  }

  /** The same one, asked by browsers that log in once. */
  ApiServer byBrowsers() {
    return new ApiServer(process, new HashMap<>());
  }

  /** Starts it with the users of a file. */
  static ApiServer start(Path config, Path users) {
    return start(config, users, Map.of());
  }

  /** Starts it with further settings. */
  static ApiServer start(Path config, Path users, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("SERVER_PORT", "0");
    all.put("WAYBILL_API_ENABLED", "true");
    all.put("WAYBILL_API_USERS", users.toString());
    all.put("WAYBILL_RELAY_ENABLED", "false");
    LoadedConfig<WaybillProperties> loaded = StandaloneOutboxes.loader().load(config, all);
    return new ApiServer(RelayProcess.start(loaded, () -> {}, cause -> {}), null);
  }

  /** The address before that of the API. */
  String url() {
    return "http://127.0.0.1:" + process.port();
  }

  /**
   * Asks for something.
   *
   * @param user who asks, or null for nobody; its password is {@link #password}
   * @param path below that of the API
   */
  HttpResponse<String> get(@Nullable String user, String path) throws Exception {
    return send("GET", user, user == null ? "" : password(user), path);
  }

  /**
   * Asks for a change.
   *
   * @param user who asks
   * @param path below that of the API
   * @param body its parameters
   */
  HttpResponse<String> post(String user, String path, Map<String, ?> body) throws Exception {
    return post(user, path, "application/json", JSON.writeValueAsString(body));
  }

  HttpResponse<String> post(String user, String path, String type, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        request("/api/v1" + path, user, password(user))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, @Nullable String user, String password, String path)
      throws IOException, InterruptedException {
    return to("/api/v1" + path, method, user, password);
  }

  /** The status of an address that is not the API's. */
  int outside(@Nullable String user, String path) throws IOException, InterruptedException {
    return to(path, "GET", user, user == null ? "" : password(user)).statusCode();
  }

  private HttpResponse<String> to(
      String address, String method, @Nullable String user, String password)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(address, user, password).method(method, HttpRequest.BodyPublishers.noBody());
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String address, @Nullable String user, String password) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + address))
            .timeout(Patience.of(Duration.ofSeconds(20)));
    if (user != null && logins != null) {
      Login login = logins.computeIfAbsent(user, this::login);
      request.header("Cookie", login.cookie).header("X-CSRF-TOKEN", login.token);
    } else if (user != null) {
      String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
      request.header("Authorization", "Basic " + login);
    }
    return request;
  }

  private Login login(String user) {
    try {
      Browser browser = new Browser(url());
      browser.login(user);
      String token = json(browser.fetch("/login/user")).get("csrfToken").asString();
      return new Login("waybill-login=" + browser.cookies().get("waybill-login"), token);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static JsonNode json(HttpResponse<String> response) {
    return JSON.readTree(response.body());
  }

  /** The password of a test's user. */
  static String password(String user) {
    return user + "'s secret";
  }

  @Override
  public void close() {
    process.stop();
  }
}

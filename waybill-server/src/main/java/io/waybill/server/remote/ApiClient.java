package io.waybill.server.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks an API. Its failures name its address. Thread-safe. */
public final class ApiClient {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  // As many requests about an outbox as may be under way: soon there is room.
  private static final int BUSY = 503;
  private static final int TRIES = 4;
  private static final long PAUSE_MILLIS = 300;

  private final URI url;
  private final @Nullable String login;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT)
          .build();

  /**
   * Asks with a login.
   *
   * @param url the API's address before {@code /api/v1}
   * @param login header of each request, or null
   */
  ApiClient(URI url, @Nullable String login) {
    this.url = url;
    this.login = login;
  }

  /** Its address, for people. */
  public URI url() {
    return url;
  }

  /** Names of the outboxes that the caller may look at. */
  public List<String> outboxes() {
    return get("/outboxes", Map.of()).path("items").valueStream().map(JsonNode::asString).toList();
  }

  /** An answer; parameters that are null are left out, and lists are given one by one. */
  JsonNode get(String path, Map<String, ?> parameters) {
    return find(path, parameters, "").orElseThrow();
  }

  /** An answer, or empty if there is no such thing, as the field of the problem names it. */
  Optional<JsonNode> find(String path, Map<String, ?> parameters, String what) {
    String query = query(parameters);
    HttpRequest request = request(query.isEmpty() ? path : path + "?" + query).GET().build();
    HttpResponse<String> answer = send(request);
    for (int tries = 1; answer.statusCode() == BUSY && tries < TRIES; tries++) {
      pause();
      answer = send(request);
    }
    return ApiProblems.read(url, answer, what);
  }

  /** The answer to a change, or empty likewise. */
  Optional<JsonNode> post(String path, Map<String, ?> body, String what) {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(Output.JSON.writeValueAsString(body)))
            .build();
    return ApiProblems.read(url, send(request), what);
  }

  static String encoded(String text) {
    // Of an address, too, where a plus is none.
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private static String query(Map<String, ?> parameters) {
    List<String> all = new ArrayList<>();
    parameters.forEach(
        (name, value) -> {
          for (Object each : value instanceof Collection<?> some ? some : listOf(value)) {
            all.add(name + "=" + encoded(each.toString()));
          }
        });
    return String.join("&", all);
  }

  private static List<Object> listOf(@Nullable Object value) {
    return value == null ? List.of() : List.of(value);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
            .timeout(ANSWER)
            .header("Accept", "application/json");
    if (login != null) {
      request.header("Authorization", login);
    }
    return request;
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (HttpTimeoutException e) {
      throw away("does not answer in time", e);
    } catch (SSLException e) {
      throw away(
          "cannot be trusted, or speaks no TLS: "
              + deepest(e)
              + "; a certificate of a private authority needs"
              + " -Djavax.net.ssl.trustStore=... in WAYBILL_JAVA_OPTS",
          e);
    } catch (IOException e) {
      throw away("does not answer: " + deepest(e), e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private StoreException away(String how, IOException e) {
    return new StoreException("The API at %s %s".formatted(url, how), e, true);
  }

  /** Some failures have their reason below them, or no text at all. */
  private static String deepest(Throwable e) {
    Throwable at = e;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static CommandFailure interrupted() {
    Thread.currentThread().interrupt();
    return new CommandFailure(ExitCode.FINDINGS, "Interrupted");
  }
}

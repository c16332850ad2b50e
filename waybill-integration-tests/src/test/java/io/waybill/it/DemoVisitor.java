package io.waybill.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody who has read the addresses that the demo prints. */
final class DemoVisitor {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client = HttpClient.newHttpClient();
  private final String page;
  private final String console;
  private final String login;

  private DemoVisitor(String page, String console, String login) {
    this.page = page;
    this.console = console;
    this.login = login;
  }

  static DemoVisitor of(DemoRun demo) throws IOException {
    demo.awaitLineWith("The console alone: ");
    String[] parts = demo.lineWith("The console alone: ").split("[ ,]+", -1);
    String page = demo.lineWith("in a browser: ");
    return new DemoVisitor(
        page.substring(page.indexOf("http")).strip(),
        parts[3],
        Base64.getEncoder().encodeToString((parts[5] + ":" + parts[7]).getBytes(UTF_8)));
  }

  /** The address of the demo's page. */
  String page() {
    return page;
  }

  HttpResponse<String> get(String address, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /** Sends a form; returns the status. */
  int form(String address, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** Presses a button once it does what is meant, and waits until that is done. */
  void press(String action, String key) throws Exception {
    awaitButton(action, key);
    form(page + "press", action + "=" + key);
    awaitButton("", key);
  }

  private void awaitButton(String action, String key) {
    String button = "id=\"press-%s\" name=\"%s".formatted(key, action);
    String busy = "value=\"%s\" disabled".formatted(key);
    await(button)
        .atMost(LIMIT)
        .until(() -> get(page).body().contains(button) && !get(page).body().contains(busy));
  }

  /** Asks the API about the outbox. */
  JsonNode ask(String path) throws Exception {
    HttpResponse<String> answer =
        get(
            console.replace("/console", "/api/v1/outboxes/orders") + path,
            "Authorization",
            basic());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  private String basic() {
    return "Basic " + login;
  }

  /** Asks the API for a change. */
  JsonNode change(String path, Map<String, ?> body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(console.replace("/console", "/api/v1/outboxes/orders") + path))
            .header("Authorization", basic())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  /** Plans a change of events, lets it run, and waits for its end. */
  void run(Map<String, ?> plan) throws Exception {
    String id = change("/jobs", plan).path("id").asString();
    change("/job/run", Map.of("id", id, "reason", "seen in the demo"));
    await("job " + id)
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> ask("/job?id=" + id).path("state").asString().equals("DONE"));
  }

  /** Waits for a group of parked events; returns it. */
  JsonNode awaitParked(String reason, int events) {
    return await(reason)
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () ->
                ask("/failures?state=parked")
                    .path("items")
                    .valueStream()
                    .filter(group -> group.at("/sample/reason").asString().equals(reason))
                    .filter(group -> group.at("/events/count").asInt() == events)
                    .findFirst()
                    .orElse(JSON.missingNode()),
            group -> !group.isMissingNode());
  }

  /** Waits until the destination of all events takes none, or takes them again. */
  void awaitDestination(boolean failing) {
    await("destination")
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () ->
                ask("/destinations")
                        .path("items")
                        .valueStream()
                        .anyMatch(each -> each.path("failingSince").isString())
                    == failing);
  }
}

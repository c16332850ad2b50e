package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code waybill api} as a process of its own, without users. */
@Tag("long")
class ApiProcessTest extends CommandsOnPostgres {
  private static final Pattern PORT =
      Pattern.compile("API, health and metrics on http://127.0.0.1:([0-9]+)");
  private static final Pattern FILE = Pattern.compile("the login until it stops is in (\\S+)");
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  @TempDir private Path home;

  private static String found(Pattern pattern, RelayProcesses processes) throws IOException {
    Matcher matcher = pattern.matcher(processes.log());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  void servesWithoutARelayToTheFirstLoginUntilItStops() throws Exception {
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Process api = processes.run(config(), Map.of("SERVER_PORT", "0"), "api");
      await().atMost(LIMIT).untilAsserted(() -> assertThat(processes.log()).containsPattern(PORT));

      Path file = Path.of(found(FILE, processes));
      String login = Files.readString(file).strip();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(processes.log()).doesNotContain(login.substring(login.indexOf(':') + 1));
      String base = "http://127.0.0.1:" + found(PORT, processes);
      HttpResponse<String> answer = get(base + "/api/v1/outboxes/orders/relays", login);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("{\"items\":[]}");
      assertThat(get(base + "/api/v1/outboxes", "first:wrong").statusCode()).isEqualTo(401);
      assertThat(get(base + "/readyz", login).statusCode()).isEqualTo(200);

      processes.stop(api);
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void theConsoleIsServedWithoutARelay() throws Exception {
    Pattern console = Pattern.compile("console on (http://127.0.0.1:[0-9]+)/shop/console");
    Path users = Files.writeString(home.resolve("users"), ApiOnPostgres.user("alice", "viewer"));
    Map<String, String> settings =
        Map.of(
            "SERVER_PORT",
            "0",
            "SERVER_SERVLET_CONTEXT_PATH",
            "/shop",
            "WAYBILL_API_USERS",
            users.toString());
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Process process = processes.run(config(), settings, "console");
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(processes.log()).containsPattern(console));
      Browser browser = new Browser(found(console, processes) + "/shop");
      browser.login("alice", ApiServer.password("alice"), "/console");
      HttpResponse<String> page = browser.page("/console/outboxes/orders/overview");
      assertThat(page.body()).contains("<h1>Overview</h1>", "No relay runs", "./waybill relay");
      processes.stop(process);
    }
  }

  @Test
  void aRelayIsNotStartedWithoutOne() throws Exception {
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Process relay =
          processes.start(
              config(), Map.of("WAYBILL_API_ENABLED", "true", "WAYBILL_RELAY_ENABLED", "false"));

      assertThat(relay.waitFor()).isEqualTo(ExitCode.CONFIG);
      assertThat(processes.log()).contains("waybill.relay.enabled must be true for a relay");
    }
  }

  /** Nobody says that it has ended: its lease does. */
  @Test
  void aJobGoesOnAfterItsProcessWasKilled() throws Exception {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'k' || n, 'killed', 'order', 'k' || n, '{}' from generate_series(10, 21) n""");
    Path users =
        Files.writeString(home.resolve("users"), ApiOnPostgres.user("operator", "operator"));
    String asked = "select count(*) from waybill_audit where event_id like 'k%'";
    String id;
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Map<String, String> environment =
          Map.of("SERVER_PORT", "0", "WAYBILL_API_USERS", users.toString());
      Process api = processes.run(config(), environment, "api");
      await().atMost(LIMIT).untilAsserted(() -> assertThat(processes.log()).containsPattern(PORT));
      String base = "http://127.0.0.1:" + found(PORT, processes) + "/api/v1/outboxes/orders";
      id = post(base + "/jobs", "{\"verb\":\"park\",\"type\":\"killed\",\"canary\":0,\"rate\":1}");
      assertThat(post(base + "/job/run", "{\"id\":\"%s\",\"reason\":\"test\"}".formatted(id)))
          .isEqualTo(id);
      await().atMost(LIMIT).until(() -> Integer.parseInt(text(asked)) >= 3);
      api.destroyForcibly().waitFor();
    }
    assertThat(Integer.parseInt(text(asked))).isLessThan(12);

    try (ApiServer other = ApiServer.start(config(), users)) {
      await().atMost(LIMIT).until(() -> text(asked).equals("12"));
      assertThat(text(asked.replace("count(*)", "count(distinct event_id)"))).isEqualTo("12");
      sql("update waybill_audit set completed_at = now(), done = true, note = 'parked'");
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  ApiServer.json(other.get("operator", "/outboxes/orders/job?id=" + id))
                      .get("state")
                      .asString()
                      .equals("DONE"));
    }
  }

  /** Returns the id of the job in the answer. */
  private static String post(String address, String body) throws Exception {
    HttpRequest request =
        request(address, "operator:" + ApiServer.password("operator"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer).get("id").asString();
  }

  private static HttpResponse<String> get(String address, String login) throws Exception {
    return HttpClient.newHttpClient()
        .send(request(address, login).build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String address, String login) {
    String encoded = Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    return HttpRequest.newBuilder(URI.create(address))
        .timeout(LIMIT)
        .header("Authorization", "Basic " + encoded);
  }
}

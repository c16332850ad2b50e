package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.command.ApiDescription.Operation;
import io.waybill.server.terminal.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two instances of the API on one database, behind a proxy that asks them in turn below a path of
 * its own. The first is a process, which a test may kill.
 */
@Tag("long")
class ProxiedApiTest extends ParkedGroup {
  private static final Pattern PORT = Pattern.compile("http://127.0.0.1:([0-9]+)");
  private static final String BELOW = "/waybill";
  private static final String SHOP = "/outboxes/orders";
  private static final Map<String, String> BEHIND_A_PROXY =
      Map.of(
          "SERVER_PORT", "0",
          "SERVER_SERVLET_CONTEXTPATH", BELOW,
          "SERVER_FORWARDHEADERSSTRATEGY", "native",
          "SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "127\\.0\\.0\\.1");

  @TempDir private Path home;
  private final HttpClient client = HttpClient.newHttpClient();
  private RelayProcesses processes;
  private Process first;
  private ApiServer second;
  private ReverseProxy proxy;

  @BeforeEach
  void start() throws Exception {
    Path users = home.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"),
            ApiOnPostgres.user("operator", "administrator")));
    Map<String, String> environment = new HashMap<>(BEHIND_A_PROXY);
    environment.put("WAYBILL_API_USERS", users.toString());
    processes = new RelayProcesses(home);
    first = processes.run(config(), environment, "api");
    second = ApiServer.start(config(), users, BEHIND_A_PROXY);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(processes.log()).containsPattern(PORT));
    Matcher port = PORT.matcher(processes.log());
    assertThat(port.find()).isTrue();
    proxy = new ReverseProxy(port.group(), second.url());
  }

  @AfterEach
  void stop() {
    proxy.close();
    second.close();
    processes.close();
  }

  private HttpRequest.Builder request(String address) {
    String login = "operator:" + ApiServer.password("operator");
    return HttpRequest.newBuilder(URI.create(address))
        .timeout(LIMIT)
        .header(
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
  }

  private String api() {
    return proxy.url() + BELOW + "/api/v1";
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(api() + path).build(), BodyHandlers.ofString());
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private JsonNode post(String path, Map<String, ?> body) throws Exception {
    HttpRequest request =
        request(api() + path)
            .header("Content-Type", "application/json")
            // What a browser behind the proxy sends.
            .header("Origin", "https://shop.example.com")
            .header("Sec-Fetch-Site", "same-origin")
            .POST(BodyPublishers.ofString(ApiServer.JSON.writeValueAsString(body)))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  /** The address of the description is all that a client needs to know. */
  @Test
  void whatIsDescribedIsAnsweredByBothBelowThePath() throws Exception {
    String place = api() + "/openapi.json";
    ApiDescription description = new ApiDescription(json("/openapi.json"));
    String server = description.document().at("/servers/0/url").asString();
    String base = URI.create(place).resolve(server).toString();
    assertThat(base).isEqualTo(api());
    for (Operation operation : description.operations()) {
      boolean needsMore = operation.parameters().stream().anyMatch(each -> each.required());
      if (!operation.changes() && !needsMore && !operation.path().contains("consumers")) {
        String path = operation.path().replace("{outbox}", "orders");
        // Nothing answers at the broker's address.
        int status = path.endsWith("/declare") ? 503 : 200;
        Set<String> answers = new TreeSet<>();
        for (int instance = 0; instance < 2; instance++) {
          HttpResponse<String> answer =
              client.send(request(base + path).build(), BodyHandlers.ofString());
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
          assertThat(answer.headers().map()).as(path).doesNotContainKeys("location", "set-cookie");
          description.check(operation, answer, path);
          // What changes with time is left out.
          answers.add(answer.body().replaceAll("\"(oldestUnpublishedMillis|at)\":[^,}]+", ""));
        }
        assertThat(answers).as(path).hasSize(1);
      }
    }
    assertThat(proxy.asked()).hasSizeGreaterThan(20);
    assertThat(new TreeSet<>(proxy.asked())).hasSize(2);
  }

  @Test
  void aPageOfOneHasItsNextAtTheOtherAndProblemsStayWhole() throws Exception {
    Set<String> ids = new TreeSet<>();
    String next = "";
    do {
      JsonNode page = json(SHOP + "/events?limit=5" + next);
      page.get("items").forEach(item -> ids.add(item.get("eventId").asString()));
      next = "&after=" + page.get("next").asString("");
    } while (!next.equals("&after="));
    assertThat(ids).hasSize(24);

    HttpResponse<String> wrong = get(SHOP + "/events?limit=0");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(ApiServer.json(wrong).get("field").asString()).isEqualTo("limit");
    HttpResponse<String> stranger =
        client.send(
            HttpRequest.newBuilder(URI.create(api() + SHOP)).build(), BodyHandlers.ofString());
    assertThat(stranger.statusCode()).isEqualTo(401);
    assertThat(stranger.headers().firstValue("WWW-Authenticate"))
        .hasValue("Basic realm=\"Waybill\"");
  }

  /** Planned at the first, which is killed while it carries the job out; run by the second. */
  @Test
  void aPlanOfOneIsRunByTheOtherAndGoesOnAfterAKill() throws Exception {
    String asked = "select count(*) from waybill_audit where event_id like 'p%'";
    String id;
    try (BufferedReader lines = stream()) {
      assertThat(data(lines).get("status").isNull()).as("of the first instance").isFalse();
      json(SHOP);
      id =
          post(SHOP + "/jobs", Map.of("verb", "retry", "group", GROUP, "canary", 0, "rate", 2))
              .get("id")
              .asString();
      post(SHOP + "/job/run", Map.of("id", id, "reason", "ticket 7"));
      List<String> two = proxy.asked().subList(proxy.asked().size() - 2, proxy.asked().size());
      assertThat(new TreeSet<>(two)).hasSize(2);
      JsonNode told = data(lines);
      while (told.get("jobs").isEmpty()) {
        told = data(lines);
      }
      assertThat(told.get("jobs").get(0).get("id").asString()).isEqualTo(id);
      await().atMost(LIMIT).until(() -> Integer.parseInt(text(asked)) >= 3);

      first.destroyForcibly().waitFor();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        assertThat(line).as("its stream ends").doesNotContain("event: problem");
      }
    }
    assertThat(Integer.parseInt(text(asked))).isLessThan(20);

    try (BufferedReader lines = stream()) {
      assertThat(data(lines).get("jobs").get(0).get("id").asString()).isEqualTo(id);
    }
    post(SHOP + "/job/run", Map.of("id", id, "reason", "ticket 7"));
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              for (String event : open()) {
                carryOut(event, false);
              }
              return json(SHOP + "/job?id=" + id).get("state").asString().equals("DONE");
            });
    assertThat(json(SHOP + "/job?id=" + id).get("succeeded").asInt()).isEqualTo(20);
    assertThat(text(asked.replace("count(*)", "count(distinct event_id)"))).isEqualTo("20");
    assertThat(text(asked)).as("each was asked for once").isEqualTo("20");
  }

  private BufferedReader stream() throws Exception {
    HttpRequest request = request(api() + SHOP + "/stream").build();
    return new BufferedReader(
        new InputStreamReader(client.send(request, BodyHandlers.ofInputStream()).body(), UTF_8));
  }

  private static JsonNode data(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("data:")) {
      line = lines.readLine();
    }
    return ApiServer.JSON.readTree(String.valueOf(line).substring("data:".length()));
  }

  @Test
  void commandsGoThroughIt() throws Exception {
    assertThat(url("status", "--count", "--json").json().get(0).get("parked").asInt())
        .isEqualTo(21);
    assertThat(url("events", "list").out()).isEqualTo(run("events", "list").out());
    Future<CommandRun> retry =
        CompletableFuture.supplyAsync(
            () ->
                url(
                    "failures",
                    "retry",
                    GROUP,
                    "--canary",
                    "2",
                    "--yes",
                    "--reason",
                    "ok",
                    "--json"));

    CommandRun end = answered(retry, id -> false);

    assertThat(end.code()).as(end.err()).isEqualTo(ExitCode.OK);
    assertThat(end.json().get("published").asInt()).isEqualTo(20);
    assertThat(text("select distinct requested_by || ' ' || reason from waybill_audit"))
        .isEqualTo("operator ok");
    assertThat(new TreeSet<>(proxy.asked())).hasSize(2);
  }

  private CommandRun url(String... arguments) {
    return CommandRun.of(
        Map.of("WAYBILL_TOKEN", "operator:" + ApiServer.password("operator")),
        with(arguments, "--url", proxy.url() + BELOW));
  }

  /** Each instance counts for itself; who comes past the proxy is believed nothing. */
  @Test
  void whoGuessesPasswordsIsToldByTheAddressBeforeTheProxy() throws Exception {
    String outboxes = BELOW + "/api/v1/outboxes";
    String proxied = proxy.url() + outboxes;
    for (int i = 0; i < 20; i++) {
      assertThat(status("127.0.0.2", proxied, "wrong", "192.0.2." + i)).isEqualTo(401);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(status("127.0.0.2", proxied, "right", "192.0.2.99")).isEqualTo(429);
      assertThat(status("127.0.0.3", proxied, "right", "127.0.0.2")).isEqualTo(200);
    }
    String past = second.url() + outboxes;
    assertThat(status("127.0.0.2", past, "right", "127.0.0.3")).isEqualTo(429);
    assertThat(status("127.0.0.3", past, "right", "127.0.0.2")).isEqualTo(200);
  }

  private static int status(String from, String address, String password, String forwarded)
      throws IOException {
    URI to = URI.create(address);
    String given = password.equals("right") ? ApiServer.password("viewer") : password;
    String login = Base64.getEncoder().encodeToString(("viewer:" + given).getBytes(UTF_8));
    try (Socket socket =
        new Socket(
            InetAddress.getByName(to.getHost()), to.getPort(), InetAddress.getByName(from), 0)) {
      String request =
          """
          GET %s HTTP/1.1
          Host: shop.example.com
          Authorization: Basic %s
          X-Forwarded-For: %s
          Connection: close

          """
              .formatted(to.getPath(), login, forwarded);
      socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(UTF_8));
      String line =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      return Integer.parseInt(line.split(" ", 3)[1]);
    }
  }
}

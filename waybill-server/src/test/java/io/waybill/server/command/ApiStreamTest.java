package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.command.ApiDescription.Operation;
import io.waybill.testkit.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Who listens to a real API, by server-sent events. */
@Tag("long")
class ApiStreamTest extends ApiOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String SHOP = "/outboxes/orders";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Stream> streams = new ArrayList<>();

  /** One stream; its lines are read by the test. */
  private record Stream(int status, BufferedReader lines) {
    /** The data of the next event of that name; a message has none. */
    JsonNode next(String name) throws IOException {
      String event = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ") && event.equals(name)) {
          return ApiServer.JSON.readTree(line.substring(6));
        } else if (line.isEmpty()) {
          event = "";
        }
      }
      throw new IOException("the stream has ended");
    }

    JsonNode nextWith(Predicate<JsonNode> condition) throws IOException {
      JsonNode data = next("");
      while (!condition.test(data)) {
        data = next("");
      }
      return data;
    }
  }

  @AfterEach
  void closeStreams() throws IOException {
    for (Stream each : streams) {
      each.lines().close();
    }
  }

  private Stream open(ApiServer api, String user) throws Exception {
    String login = user + ":" + ApiServer.password(user);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api.url() + "/api/v1" + SHOP + "/stream"))
            .timeout(LIMIT)
            .header("Last-Event-ID", "\u00e4 7")
            .header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)))
            .build();
    HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
    Stream stream =
        new Stream(
            answer.statusCode(), new BufferedReader(new InputStreamReader(answer.body(), UTF_8)));
    streams.add(stream);
    if (answer.statusCode() == 200) {
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      assertThat(answer.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    }
    return stream;
  }

  private void aRelayThatRenews() throws Exception {
    sql(
        "insert into waybill_session (relay, lease_until, renewed_at) values"
            + " ('relay-1', now() + interval '1 hour', now())");
  }

  @Test
  void howAllStandsIsToldAndThenWhatChanges() throws Exception {
    Operation operation = description.streams().get(0);
    Stream stream = open(api, "here");
    JsonNode first = stream.next("");
    description.checkEvent(operation, first);
    assertThat(first.get("status").get("counts").get("parked").asInt()).isEqualTo(1);
    assertThat(first.get("jobs")).isEmpty();

    Map<String, Object> plan = Map.of("verb", "park", "eventId", List.of("e3"));
    String id = ApiServer.json(api.post("operator", SHOP + "/jobs", plan)).get("id").asString();
    JsonNode planned = stream.nextWith(data -> !data.get("jobs").isEmpty());
    description.checkEvent(operation, planned);
    assertThat(planned.get("jobs").get(0).get("id").asString()).isEqualTo(id);
    api.post("operator", SHOP + "/job/cancel", Map.of("id", id));
    JsonNode cancelled = stream.nextWith(data -> !data.get("jobs").isEmpty());
    assertThat(cancelled.get("jobs").get(0).get("state").asString()).isEqualTo("CANCELLED");

    Map<String, Object> pause = Map.of("destination", "audit", "reason", "full");
    api.post("operator", SHOP + "/destination/pause", pause);
    JsonNode paused =
        stream.nextWith(
            data -> !data.get("status").isNull() && !data.at("/status/paused").isEmpty());
    assertThat(paused.at("/status/paused/0").asString()).isEqualTo("audit");
  }

  @Test
  void whoHasTheRightMayListen() throws Exception {
    for (String user : List.of("viewer", "operator", "administrator", "here")) {
      assertThat(open(api, user).status()).as(user).isEqualTo(200);
    }
    String path = SHOP + "/stream";
    assertThat(open(api, "elsewhere").status()).isEqualTo(403);
    assertThat(api.send("GET", null, "", path).statusCode()).isEqualTo(401);
    assertThat(api.send("GET", "viewer", "wrong", path).statusCode()).isEqualTo(401);
    assertThat(api.get("viewer", path + "?colour=red").statusCode()).isEqualTo(400);
    assertThat(api.get("viewer", "/outboxes/none/stream").statusCode()).isEqualTo(404);
    assertThat(api.send("HEAD", "viewer", ApiServer.password("viewer"), path).statusCode())
        .isEqualTo(200);
  }

  /** What several listen to is read once, and every two seconds at most. */
  @Test
  void whatIsToldToAllIsReadOnce() throws Exception {
    aRelayThatRenews();
    // Of one look, whose sessions are of no index.
    String scans =
        "select seq_scan + coalesce(idx_scan, 0) from pg_stat_user_tables where relname = 'waybill_session'";
    List<Stream> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(open(api, "viewer"));
      five.get(i).next("");
    }
    long begin = System.nanoTime();
    long before = Long.parseLong(text(scans));
    for (int looks = 0; looks < 5; looks++) {
      for (Stream each : five) {
        each.next("");
      }
    }
    long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds() + 1;
    assertThat(seconds).isGreaterThanOrEqualTo(8);
    await().atMost(LIMIT).until(() -> Long.parseLong(text(scans)) > before);
    long read = Long.parseLong(text(scans)) - before;
    // A statement of each look joins the sessions to their lanes, and another one lists them.
    assertThat(read).isBetween(1L, 3 * (seconds / 2 + 3));
  }

  @Test
  void aFewMayListenAndWhoLeavesGivesWayToAnother() throws Exception {
    aRelayThatRenews();
    for (int i = 0; i < 20; i++) {
      assertThat(open(api, "viewer").status()).isEqualTo(200);
    }
    assertThat(open(api, "viewer").status()).isEqualTo(503);
    assertThat(api.get("viewer", SHOP).statusCode()).as("others are answered").isEqualTo(200);

    streams.get(0).lines().close();
    await().atMost(LIMIT).until(() -> open(api, "viewer").status() == 200);
  }

  @Test
  void aDatabaseThatIsAwayIsToldOnceAndReadAgain() throws Exception {
    Stream stream = open(api, "viewer");
    stream.next("");
    sql("alter table waybill_session rename to elsewhere");
    JsonNode problem = stream.next("problem");
    assertThat(problem.get("status").asInt()).isEqualTo(503);
    sql("alter table elsewhere rename to waybill_session");
    assertThat(stream.next("").get("status").isNull()).isFalse();
  }

  /** Also one that waits for what is under way. */
  @Test
  void theEndOfTheProcessEndsItsStreams() throws Exception {
    Map<String, String> waits =
        Map.of("SERVER_SHUTDOWN", "graceful", "WAYBILL_RELAY_GRACEPERIOD", "60s");
    Stream stream;
    long begin;
    try (ApiServer graceful = ApiServer.start(config(), users, waits)) {
      stream = open(graceful, "viewer");
      stream.next("");
      begin = System.nanoTime();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    assertThat(stream.lines().lines().filter(line -> line.startsWith("data"))).isEmpty();
  }
}

package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The overview by its stream. */
@Tag("long")
class ConsoleStreamTest extends ApiOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String OVERVIEW = "/console/outboxes/%s/overview";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Stream> streams = new ArrayList<>();

  /** One stream; its lines are read by the test. */
  private record Stream(int status, BufferedReader lines) {
    /** The name of the next event, a blank, and its data; comments are none. */
    String next() throws IOException {
      String name = "message";
      List<String> data = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data.add(line.substring(6));
        } else if (line.isEmpty() && !data.isEmpty()) {
          return name + " " + String.join("\n", data);
        }
      }
      throw new IOException("the stream has ended");
    }

    String nextWith(String text) throws IOException {
      String event = next();
      while (!event.contains(text)) {
        event = next();
      }
      return event;
    }
  }

  @AfterEach
  void closeStreams() throws IOException {
    for (Stream each : streams) {
      each.lines().close();
    }
  }

  private Stream open(String user, String outbox) throws Exception {
    String login = user + ":" + ApiServer.password(user);
    String address = api.url() + OVERVIEW.formatted(outbox) + "?part=stream";
    HttpResponse<InputStream> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(address))
                .timeout(LIMIT)
                .header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)))
                .build(),
            BodyHandlers.ofInputStream());
    Stream stream =
        new Stream(
            answer.statusCode(), new BufferedReader(new InputStreamReader(answer.body(), UTF_8)));
    streams.add(stream);
    if (answer.statusCode() == 200) {
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'");
    }
    return stream;
  }

  @Test
  void theOverviewIsToldAndThenWhatChanges() throws Exception {
    Stream viewer = open("viewer", "orders");
    Stream administrator = open("administrator", "orders");
    assertThat(viewer.next())
        .startsWith("message <h2>What is wrong now</h2>")
        .contains("No relay runs", "class=\"tiles\"")
        .doesNotContain("<html", "audit is paused");
    assertThat(administrator.next()).startsWith("message <h2>");
    api.post(
        "operator",
        "/outboxes/orders/destination/pause",
        Map.of("destination", "audit", "reason", "<b>full</b>"));
    for (Stream each : List.of(viewer, administrator)) {
      assertThat(each.nextWith("Destination audit is paused"))
          .contains("operator paused it: &lt;b&gt;full&lt;/b&gt;");
    }
    api.post(
        "operator",
        "/outboxes/orders/destination/resume",
        Map.of("destination", "audit", "reason", "empty"));
    String after = viewer.next();
    while (after.contains("is paused")) {
      after = viewer.next();
    }
    assertThat(after).containsAnyOf("message <h2>", "same -");
  }

  @Test
  void whoMayNotLookOrHasNoPlaceGetsNone() throws Exception {
    assertThat(open("elsewhere", "orders").status()).isEqualTo(403);
    assertThat(open("viewer", "none").status()).isEqualTo(404);
    for (int i = 0; i < 20; i++) {
      assertThat(open("viewer", "orders").status()).isEqualTo(200);
    }
    assertThat(open("viewer", "orders").status()).isEqualTo(503);
    assertThat(api.get("viewer", "/outboxes/orders/stream").statusCode()).isEqualTo(503);
    Browser browser = new Browser(api.url());
    browser.login("viewer");
    String overview = OVERVIEW.formatted("orders");
    assertThat(browser.page(overview + "?part=now").statusCode()).isEqualTo(200);
    assertThat(browser.page(overview).body())
        .contains("data-stream=\"overview?part=stream\"", "hx-trigger=\"every 2s\"");
  }

  @Test
  void latencyIsShownByDestination() throws Exception {
    Instant minute = Instant.now().minus(Duration.ofMinutes(3)).truncatedTo(ChronoUnit.MINUTES);
    try (Admin admin = admin()) {
      Rollups.of(admin)
          .add(
              List.of(
                  new Rollup(minute, "bills", 1, 0, 0, 0, 0, 900_000, 900_000, 0),
                  new Rollup(minute, "orders", 3, 0, 0, 0, 0, 300_000, 250_000, 0)));
    }
    Browser browser = new Browser(api.url());
    browser.login("viewer");
    String page = browser.page(OVERVIEW.formatted("orders")).body();
    assertThat(page)
        .containsSubsequence(
            "Latency in the last hour", "orders", "0.100 s", "0.250 s", "bills", "0.900 s");
    // Of the minute: 1.2 s of four events.
    assertThat(page).contains("data-value=\"0.3\"");
  }
}

package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What relays did and how fast it goes, by command and by the API. */
@Tag("long")
class HistoryCommandTest extends ApiOnPostgres {
  private static final String SHOP = "/outboxes/orders";

  private final Instant present = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  /** Four minutes at two events a second, in which the oldest event gets ten minutes younger. */
  @BeforeEach
  void write() {
    List<Rollup> rows = new ArrayList<>();
    for (int i = 4; i > 0; i--) {
      Instant at = present.minus(Duration.ofMinutes(i));
      rows.add(new Rollup(at, "", 0, 0, 0, 0, 0, 0, 0, 1_000_000 + i * 200_000));
      rows.add(new Rollup(at, "orders", 120, 3, 2, 1, 0, 240_000, 7_000, 0));
    }
    try (Admin admin = admin()) {
      Rollups.of(admin).add(rows);
    }
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = api.get("viewer", SHOP + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  @Test
  void commandAndApiShowTheSame() throws Exception {
    JsonNode shown = run("history", "--destination", "orders", "--json").json();
    JsonNode answered = json("/history?destination=orders").get("items");
    assertThat(shown).hasSize(4).isEqualTo(answered);
    assertThat(shown.get(0).get("at").asString())
        .isEqualTo(present.minus(Duration.ofMinutes(4)).toString());
    assertThat(shown.get(0).get("published").asInt()).isEqualTo(120);
    assertThat(shown.get(0).get("latencyMillis").asInt()).isEqualTo(2);
    assertThat(shown.get(0).get("latencyMaxMillis").asInt()).isEqualTo(7);
    assertThat(json("/history").get("items")).hasSize(8);
    assertThat(run("history", "--newer-than", "50m", "--older-than", "30m").out())
        .isEqualTo("No relay has written what it did in that time.\n");
    long hourly =
        run("history", "--step", "hour", "--newer-than", "2h", "--json")
            .json()
            .valueStream()
            .mapToLong(row -> row.get("published").asLong())
            .sum();
    assertThat(hourly).isEqualTo(480);
    assertThat(json("/history?step=hour&destination=orders").get("missing").isNull()).isTrue();
  }

  @Test
  void partsOfADayFollowEachOther() throws Exception {
    String days = "/history?destination=orders&since=" + present.minus(Duration.ofDays(2));
    int items = 0;
    String after = "";
    do {
      JsonNode part = json(days + after);
      items += part.get("items").size();
      JsonNode next = part.get("next");
      after = next.isNull() ? "" : "&after=" + next.asString();
    } while (!after.isEmpty());
    assertThat(items).isEqualTo(4);
    assertThat(run("history", "--newer-than", "48h", "--destination", "orders", "--json").json())
        .hasSize(4);
    assertThat(api.get("viewer", SHOP + "/history?after=then").body()).contains("after must be");
    assertThat(json("/history?after=%2B999999999-12-31T23:59:59Z").get("items")).isEmpty();
    assertThat(json("/history?after=-999999999-01-01T00:00:00Z").get("items")).hasSize(8);
    assertThat(run("history", "--newer-than", "999999999d").err())
        .contains("--newer-than", "must be at most 36525d, but is 999999999d");
    assertThat(api.get("viewer", SHOP + "/history?step=day").statusCode()).isEqualTo(400);
  }

  @Test
  void statusSaysHowFastItGoesAndWhenItWillHaveCaughtUp() throws Exception {
    JsonNode status = run("status", "--json").json().get(0);
    assertThat(status.get("publishedPerSecond").asDouble()).isEqualTo(2);
    assertThat(status.get("failedPerSecond").asDouble()).isEqualTo(0.1);
    // 1,200 s of age go at 200 s a minute.
    assertThat(status.get("caughtUpSeconds").asLong()).isBetween(120L, 360L);
    JsonNode throughput = json("").get("throughput");
    assertThat(throughput.get("publishedPerSecond").asDouble()).isEqualTo(2);
    assertThat(throughput.get("caughtUpSeconds").asLong()).isBetween(120L, 360L);
    assertThat(throughput.get("unknown").isNull()).isTrue();
  }

  @Test
  void withoutTheTableEachSaysWhatIsMissing() throws Exception {
    sql("drop table waybill_rollup");
    String missing = "table waybill_rollup is missing, or the user may not read it; fix: ";
    assertThat(run("history").code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run("history").err()).contains(missing);
    assertThat(json("/history").get("missing").asString()).contains(missing);
    assertThat(json("").get("throughput").get("unknown").asString()).contains(missing);
    JsonNode status = run("status", "--json").json().get(0);
    assertThat(status.get("parked").asInt()).isEqualTo(1);
    assertThat(status.get("unknown").asString()).contains(missing);
    assertThat(run("doctor", "--json").jsonTexts("severity")).doesNotContain("REFUSE");
    assertThat(run("schema", "check").out()).contains("history-table-missing");
  }
}

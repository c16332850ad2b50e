package io.waybill.bench.compare;

import static io.waybill.bench.compare.Lines.drained;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.bench.report.Report;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareReportTest {
  private static final CompareReport REPORT =
      new CompareReport(
          "compare",
          "PostgreSQL 18",
          "kafka",
          List.of(
              drained("waybill-delete", 60_000, 30_000, 0.01, 150),
              drained("debezium-default", 20_000, 10_000, 0.05, 400)),
          Map.of("waybill-delete", Map.of("debezium-default warm", 3.0)),
          new CompareReport.Run(
              "2026-11-21T00:00:00Z",
              new Machine("a processor", 2, 8192, "Linux", "17"),
              CompareOptions.QUICK),
          Map.of("debezium", "3.6.1"),
          Map.of("debezium", Map.of("poll.interval.ms", "5")),
          List.of(new Rivals.Missing("transaction-outbox-ordered", "no <such> artifact")),
          List.of("tutorial, drain, round 1: no </script> in time"),
          List.of("waybill-delete: p50"));

  @Test
  void jsonIsTheObjectOfTheOtherScenariosWithWhatExplainsIt() {
    JsonNode json = JsonMapper.shared().readTree(REPORT.json());
    assertThat(json.path("scenario").asString()).isEqualTo("compare");
    JsonNode rival = json.path("candidates").path(1);
    assertThat(rival.path("name").asString()).isEqualTo("debezium-default");
    assertThat(rival.path("eventsPerSecond").asLong()).isEqualTo(20_000);
    assertThat(rival.path("details").path("coldEventsPerSecond").asLong()).isEqualTo(10_000);
    assertThat(rival.path("p50Ms").isNull()).isTrue();
    assertThat(json.path("leftOut").path(0).path("name").asString())
        .isEqualTo("transaction-outbox-ordered");
    assertThat(json.path("run").path("machine").path("processors").asInt()).isEqualTo(2);
  }

  @Test
  void tableNamesMachineVersionsAndWhatIsMissing() {
    assertThat(REPORT.table())
        .contains("2 x a processor")
        .contains("debezium=3.6.1")
        .contains("Left out: transaction-outbox-ordered: no <such> artifact")
        .contains("Failed: tutorial, drain, round 1")
        .contains("Falls short: waybill-delete: p50");
  }

  @Test
  void aFailedMeasurementOrALostEventOfWaybillIsNotSound() {
    assertThat(REPORT.isSound()).isFalse();
    assertThat(sound(drained("waybill-delete", 1, 1, 1, 1))).isTrue();
    assertThat(sound(Lines.live("waybill-relay", 1, 1, 1))).isFalse();
    assertThat(sound(Lines.live("modulith", 1, 1, 1))).isTrue();
  }

  private static boolean sound(Report.Line line) {
    return new CompareReport(
            "compare",
            "",
            "",
            List.of(line),
            Map.of(),
            REPORT.run(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of(),
            List.of())
        .isSound();
  }

  @Test
  void ratiosAreThoseOfWaybillToEachRivalWarmAndCold() {
    assertThat(CompareReport.ratios(REPORT.candidates()))
        .isEqualTo(
            Map.of(
                "waybill-delete",
                Map.of("debezium-default warm", 3.0, "debezium-default cold", 3.0)));
  }

  @Test
  void htmlLoadsNothingAndShowsAllParts() {
    String html = HtmlReport.of(REPORT);
    assertThat(html)
        .doesNotContain("@BODY@")
        .doesNotContain("@DATA@")
        .doesNotContain("<script src")
        .doesNotContain("<link")
        .contains("Chart.js v4")
        .contains("no &lt;such&gt; artifact")
        .contains("waybill-delete: p50")
        .contains("poll.interval.ms")
        .contains("stopped after 8 s");
    // Those of the library, of the data and of the page; none of a message.
    assertThat(html.split("</script>", -1)).hasSize(4);
  }
}

package io.waybill.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MicroScenarioTest {
  @BeforeAll
  static void doNotWaitForOtherRuns() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void everyQuestionIsAnswered() {
    Report report = new MicroScenario(0, 1, 1, List.of()).run();
    assertThat(report.candidates())
        .extracting(Report.Line::name)
        .containsExactlyInAnyOrder(
            "append-one",
            "append-many",
            "engine-event",
            "message-raw",
            "message-envelope",
            "message-route");
    assertThat(report.candidates())
        .allSatisfy(line -> assertThat(line.details().get("nanosPerEvent")).isPositive());
  }

  @Test
  void someAreChosenByName() {
    Report report = new MicroScenario(0, 1, 1, List.of("message-raw", "append-one")).run();
    assertThat(report.candidates())
        .extracting(Report.Line::name)
        .containsExactlyInAnyOrder("message-raw", "append-one");
  }
}

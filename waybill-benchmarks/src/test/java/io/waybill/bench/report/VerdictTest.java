package io.waybill.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.bench.report.Measured.Figure;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void isIsolatedWhenEveryRatioStaysBelowTwo() {
    assertThat(Verdict.others(lines(0.9, 1.99))).isEmpty();
    assertThat(Verdict.others(lines(0.9, 2.0)))
        .containsExactly(
            "one: p99 of the others is 2.00 x that of the time before, must be below 2");
    assertThat(Verdict.others(lines(Double.NaN))).hasSize(1);
    assertThat(Verdict.others(List.of())).containsExactly("nothing was measured");
  }

  @Test
  void aFailingKeyMustCostNoEventNoOrderAndNobodysTime() {
    assertThat(Verdict.failingKey(List.of(counted(measured(1.9, 0, 0, 0), 1, 1)))).isEmpty();
    assertThat(Verdict.failingKey(List.of(counted(measured(2.1, 1, 2, 3), 1, 1))))
        .containsExactly(
            "one: p99 of the others is 2.10 x that of the time before, must be below 2",
            "one: events without effect: 1, must be 0",
            "one: effects that happened twice: 2, must be 0",
            "one: effects out of the order of their key: 3, must be 0");
    assertThat(Verdict.failingKey(lines(1.0)))
        .as("nothing was counted")
        .hasSize(5)
        .allMatch(sentence -> sentence.contains("not known, must be "));
  }

  @Test
  void whoListensMustNotSlowARelayDown() {
    assertThat(Verdict.streams(List.of(streams(0.95)))).isEmpty();
    assertThat(Verdict.streams(List.of(streams(0.94))))
        .containsExactly("streams-five: shareOfRateAlone is 0.94, must be at least 0.95");
    assertThat(Verdict.streams(List.of())).containsExactly("nothing was measured");
  }

  private static Report.Line streams(double share) {
    Measured measured = new Measured();
    measured.add(Figure.SHARE_OF_ALONE, share);
    return Report.line("streams-five", measured);
  }

  @Test
  void aRunInWhichNothingFailedSaysNothing() {
    assertThat(Verdict.failingKey(List.of(counted(measured(1.0, 0, 0, 0), 1, 0))))
        .containsExactly("one: nothing failed, wentBehind is 0, must be more than 0");
    assertThat(Verdict.failingKey(List.of(counted(measured(1.0, 0, 0, 0), 0, 1))))
        .containsExactly("one: nothing failed, deferred is 0, must be more than 0");
  }

  @Test
  void anOutageIsMadeUpForFastAndNewEventsAreNotKeptWaiting() {
    assertThat(Verdict.outage(List.of(recovered(0.7, 2, 0)))).isEmpty();
    assertThat(Verdict.outage(List.of(recovered(0.69, 2.01, 3))))
        .containsExactly(
            "one: events that never arrived: 3, must be 0",
            "one: recoveryShareOfPeak is 0.69, must be at least 0.70",
            "one: a new event took 2.01 x as long as the recovery, must be at most 2");
    assertThat(Verdict.outage(lines(1.0))).as("nothing was counted").hasSize(4);
    assertThat(Verdict.outage(List.of())).containsExactly("nothing was measured");
  }

  @Test
  void whatWaitsTellsTheTruthAtLittleCost() {
    assertThat(Verdict.waiting(List.of(told(0, 1.0, 1.2, 1.2, 0)))).isEmpty();
    assertThat(Verdict.waiting(List.of(told(1, 1.01, 1.21, 1.22, 3))))
        .containsExactly(
            "one: events that never arrived: 3, must be 0",
            "one: untrueKeys is 1.00, must be at most 0.00",
            "one: writesPerKeyAndMinute is 1.01, must be at most 1.00",
            "one: databaseCpuRatioToSilent is 1.21, must be at most 1.20",
            "one: databaseLogRatioToSilent is 1.22, must be at most 1.20");
    assertThat(Verdict.waiting(lines(1.0))).as("nothing was counted").hasSize(6);
    assertThat(Verdict.waiting(List.of())).containsExactly("nothing was measured");
  }

  private static Report.Line told(
      double untrue, double writes, double cpu, double logged, double lost) {
    Measured measured = measured(Double.NaN, Map.of(Figure.LOST, lost, Figure.INVERSIONS, 0.0));
    measured.details().put(Verdict.UNTRUE, untrue);
    measured.details().put(Verdict.WRITES, writes);
    measured.details().put(Verdict.CPU_RATIO, cpu);
    measured.details().put(Verdict.LOG_RATIO, logged);
    return Report.line("one", measured);
  }

  @Test
  void keysMoveSoonAndThoseThatStayAreNotHeldUp() {
    assertThat(Verdict.takeover(List.of(moved("killed", 1.3, 2, 9, 9)))).isEmpty();
    assertThat(Verdict.takeover(List.of(moved("back", 1.31, 2.01, 9, 9))))
        .containsExactly(
            "takeover-back: gapP50Seconds is 1.31, must be at most 1.30",
            "takeover-back: gapP99Seconds is 2.01, must be at most 2.00");
    assertThat(Verdict.takeover(List.of(moved("stopped", 9, 9, 0.2, 1.2)))).isEmpty();
    assertThat(Verdict.takeover(List.of(moved("started", 9, 9, 1.01, 1.21))))
        .containsExactly(
            "takeover-started: standstillP99Seconds is 1.01, must be at most 0.20",
            "takeover-started: standstillMaxSeconds is 1.01, must be at most 1.00",
            "takeover-started: stayedGapRatioToBefore is 1.21, must be at most 1.20");
    assertThat(Verdict.takeover(List.of(moved("frozen", 60, 60, 60, 9)))).isEmpty();
    Report.Line rolling = moved("rolling", 9, 9, 0.2, Double.NaN);
    assertThat(Verdict.takeover(List.of(rolling))).as("no key stayed").isEmpty();
    assertThat(Verdict.takeover(List.of(moved("stopped", 9, 9, 0.2, Double.NaN)))).hasSize(1);
    assertThat(Verdict.takeover(lines(1.0))).as("nothing was counted").hasSize(2);
    assertThat(Verdict.takeover(List.of())).containsExactly("nothing was measured");
  }

  private static Report.Line moved(
      String what, double half, double most, double standstill, double ratio) {
    Measured measured = measured(Double.NaN, 0, 0, 0);
    measured.details().put(Verdict.GAP_P50, half);
    measured.details().put(Verdict.GAP_P99, most);
    measured.details().put(Verdict.STANDSTILL_P99, standstill);
    measured.details().put(Verdict.STANDSTILL_MAX, standstill);
    if (!Double.isNaN(ratio)) {
      measured.details().put(Verdict.STAYED_RATIO, ratio);
    }
    return Report.line("takeover-" + what, measured);
  }

  @Test
  void aRefusalCostsNoEventAndNobodysTimeAndFlowsSoonAfterItsRepair() {
    assertThat(Verdict.refusals(List.of(refused(1.9, 0, 2, 2, 5)))).isEmpty();
    assertThat(Verdict.refusals(List.of(refused(2.1, 1, 3, 2, 5.1))))
        .containsExactly(
            "one: p99 of the others is 2.10 x that of a relay without refusals, must be below 2",
            "one: events that never arrived: 1, must be 0",
            "one: events parked or dead: 1, must be 0",
            "one: 3 events came twice, but only 2 sends had no answer",
            "one: flows 5.1 s after the repair, must be at most 5");
    assertThat(Verdict.refusals(lines(1.0))).as("nothing was counted").hasSize(4);
    assertThat(Verdict.refusals(List.of())).containsExactly("nothing was measured");
  }

  private static Report.Line refused(
      double ratio, double lost, double twice, double unanswered, double flowing) {
    Measured measured = measured(Double.NaN, Map.of(Figure.LOST, lost, Figure.DUPLICATES, twice));
    measured.details().put(Verdict.RATIO_TO_WITHOUT, ratio);
    measured.details().put(Verdict.SET_ASIDE, lost);
    measured.details().put(Verdict.UNANSWERED, unanswered);
    measured.details().put(Verdict.FLOWING, flowing);
    return Report.line("one", measured);
  }

  @Test
  void aRestartMayCostAThirdOfTheTimeAndNoEffect() {
    assertThat(Verdict.restart(List.of(restarted(1.3, 0)))).isEmpty();
    assertThat(Verdict.restart(List.of(restarted(1.31, 1))))
        .containsExactly(
            "one: took 1.31 times as long with a restart, must be at most 1.3",
            "one: events without effect: 1, must be 0");
    assertThat(Verdict.restart(lines(1.0))).as("nothing was measured").isNotEmpty();
  }

  private static Report.Line restarted(double ratio, double lost) {
    Measured measured = measured(Double.NaN, lost, 0, 0);
    measured.details().put(Verdict.TIME_RATIO, ratio);
    return Report.line("one", measured);
  }

  @Test
  void theReportSaysWhatFailed() {
    Report report = new Report("inbox-failing-key", "PostgreSQL", "kafka", lines(1.0));
    assertThat(report.json()).contains("\"failures\":[]");
    assertThat(report.failing(List.of("late")).json()).contains("\"failures\":[\"late\"]");
    assertThat(report.failing(List.of("late")).table()).contains("FAILED: late");
  }

  private static List<Report.Line> lines(double... ratios) {
    return DoubleStream.of(ratios)
        .mapToObj(ratio -> Report.line("one", measured(ratio, Map.of())))
        .toList();
  }

  private static Report.Line counted(Measured measured, double deferred, double behind) {
    measured.details().put(Verdict.DEFERRED, deferred);
    measured.details().put(Verdict.WENT_BEHIND, behind);
    return Report.line("one", measured);
  }

  private static Report.Line recovered(double share, double longest, double lost) {
    Measured measured = measured(Double.NaN, Map.of(Figure.LOST, lost, Figure.INVERSIONS, 0.0));
    measured.details().put(Verdict.SHARE_OF_PEAK, share);
    measured.details().put(Verdict.LONGEST_NEW, longest);
    return Report.line("one", measured);
  }

  private static Measured measured(double ratio, double lost, double twice, double inversions) {
    return measured(
        ratio, Map.of(Figure.LOST, lost, Figure.DUPLICATES, twice, Figure.INVERSIONS, inversions));
  }

  private static Measured measured(double ratio, Map<Figure, Double> figures) {
    Measured measured = new Measured();
    figures.forEach(measured::add);
    if (!Double.isNaN(ratio)) {
      measured.details().put(Verdict.RATIO, ratio);
    }
    return measured;
  }
}

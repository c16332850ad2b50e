package io.waybill.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aRelayHasCaughtUpWhenWhatWaitedIsConfirmed() {
    Map<Long, Long> commits = new HashMap<>();
    Map<Long, Long> confirms = new HashMap<>();
    commits.put(0L, 1 * SECOND);
    confirms.put(0L, 2 * SECOND);
    // The broker is started at 10 s; 100 events wait and are confirmed from 12 s to 14 s.
    for (long i = 1; i <= 100; i++) {
      commits.put(i, 5 * SECOND);
      confirms.put(i, 12 * SECOND + (i - 1) * 2 * SECOND / 99);
    }
    commits.put(200L, 13 * SECOND);
    confirms.put(200L, 13 * SECOND + SECOND / 2);
    commits.put(201L, 20 * SECOND);
    confirms.put(201L, 20 * SECOND + SECOND / 100);

    Measured measured = new Measured();
    Recovery recovery = Recovery.of(commits, confirms, 10 * SECOND);
    recovery.addTo(measured);

    assertThat(recovery.backlog()).isEqualTo(100);
    assertThat(recovery.firstSeconds()).isEqualTo(2);
    assertThat(recovery.seconds()).isEqualTo(2);
    assertThat(recovery.caughtUp(10 * SECOND)).isEqualTo(14 * SECOND);
    assertThat(recovery.rate()).isCloseTo(101 / 2.0, within(0.01));
    assertThat(measured.details().get("duringRecoveryP99Ms")).isCloseTo(500, within(1.0));
    assertThat(measured.details().get(Verdict.LONGEST_NEW)).isCloseTo(0.25, within(0.001));
    assertThat(measured.median(Figure.P99).orElseThrow()).isCloseTo(10, within(0.1));
  }

  @Test
  void anOutageWithoutEndIsNoMeasurement() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Recovery.of(Map.of(1L, SECOND), Map.of(1L, 2 * SECOND), 3 * SECOND))
        .withMessageContaining("Nothing was confirmed");
  }
}

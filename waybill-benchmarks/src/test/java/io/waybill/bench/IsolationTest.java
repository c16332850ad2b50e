package io.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class IsolationTest {
  @Test
  void isIsolatedWhenEveryRatioStaysBelowTwo() {
    assertThat(IsolationScenario.isolated(report(0.9, 1.99))).isTrue();
    assertThat(IsolationScenario.isolated(report(0.9, 2.0))).isFalse();
    assertThat(IsolationScenario.isolated(report(Double.NaN))).isFalse();
  }

  private static Report report(double... ratios) {
    List<Report.Line> lines = DoubleStream.of(ratios).mapToObj(IsolationTest::line).toList();
    return new Report("isolation", "PostgreSQL", "kafka", lines);
  }

  private static Report.Line line(double ratio) {
    Measured measured = new Measured();
    if (!Double.isNaN(ratio)) {
      measured.details().put(IsolationScenario.RATIO, ratio);
    }
    return Report.line("one", measured);
  }
}

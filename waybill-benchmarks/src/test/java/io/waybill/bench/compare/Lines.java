package io.waybill.bench.compare;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Report;
import io.waybill.bench.report.Report.Line;
import java.util.Map;

/** Lines of reports for tests. */
final class Lines {
  private Lines() {}

  static Line drained(String name, double warm, double cold, double cpu, double memory) {
    Measured measured = new Measured();
    measured.add(Figure.RATE, warm);
    measured.add(Figure.COLD_RATE, cold);
    measured.add(Figure.RELAY_CPU, cpu);
    measured.add(Figure.PEAK_RSS, memory);
    measured.add(Figure.LOST, 0);
    measured.add(Figure.DUPLICATES, 0);
    measured.add(Figure.INVERSIONS, 0);
    return Report.line(name, measured);
  }

  static Line live(String name, double p50, double p99, double inversions) {
    Measured measured = new Measured();
    measured.add(Figure.P50, p50);
    measured.add(Figure.P99, p99);
    measured.add(Figure.INVERSIONS, inversions);
    return Report.line(name, measured);
  }

  static Line with(String name, Map<Figure, Double> figures) {
    Measured measured = new Measured();
    figures.forEach(measured::add);
    return Report.line(name, measured);
  }
}

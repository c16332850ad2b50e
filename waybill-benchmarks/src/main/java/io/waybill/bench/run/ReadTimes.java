package io.waybill.bench.run;

import io.waybill.bench.measure.Stamps;
import io.waybill.bench.report.Measured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** How the time of a read developed from the start of a backlog to its end. */
final class ReadTimes {
  private static final int PARTS = 10;

  private ReadTimes() {}

  /**
   * Adds the time per 1,000 rows of each tenth of the backlog.
   *
   * @param file rows read before, and nanoseconds per 1,000 rows, of each read
   */
  static void add(Path file, Measured measured) {
    Map<Long, Long> reads;
    try {
      reads = new TreeMap<>(Stamps.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    double[] sum = new double[PARTS];
    int[] count = new int[PARTS];
    int number = 0;
    for (long nanos : reads.values()) {
      int part = PARTS * number++ / reads.size();
      sum[part] += nanos / 1e6;
      count[part]++;
    }
    for (int part = 0; part < PARTS; part++) {
      String name = "readMsPer1000Tenth%02d".formatted(part + 1);
      measured.details().put(name, count[part] == 0 ? 0 : sum[part] / count[part]);
    }
  }
}

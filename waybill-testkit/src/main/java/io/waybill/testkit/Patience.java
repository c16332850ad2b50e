package io.waybill.testkit;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How long a test waits for something that comes soon: longer where the machine is slow or has much
 * else to do. A limit only ends tests that fail, so it may be generous. Thread-safe.
 */
public final class Patience {
  /** No limit is more times as long. */
  static final double MOST = 10;

  private static final int STEPS = 10_000_000;
  private static final int ROUNDS = 5;

  /** A step is a dependent multiplication and an addition, four cycles; of a processor at 3 GHz. */
  private static final double USUAL_NANOS = STEPS * 4 / 3.0;

  private static final double SLOWNESS = slowness();

  private Patience() {}

  /**
   * A limit for this machine as it is now.
   *
   * @param usual time that is ample on two processors with nothing else to do
   * @return the same, or up to ten times as long
   */
  public static Duration of(Duration usual) {
    var machine = ManagementFactory.getOperatingSystemMXBean();
    double load = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
    return Duration.ofNanos((long) (usual.toNanos() * factor(SLOWNESS, load)));
  }

  /**
   * How many times as long a limit is.
   *
   * @param slowness how many times as long as usual a processor takes, measured when the process
   *     began to wait
   * @param load processes that run or want to, for each processor, in the last minute; negative
   *     where the system does not say
   */
  static double factor(double slowness, double load) {
    return Math.min(MOST, Math.max(1, Math.max(slowness, load)));
  }

  /** The fastest of a few rounds, the first of which runs before the code is compiled. */
  private static double slowness() {
    double fastest = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      long value = began;
      for (int step = 0; step < STEPS; step++) {
        value = value * 6_364_136_223_846_793_005L + 1;
      }
      // The result is used, so that the loop stays.
      double taken = System.nanoTime() - began + (value == 0 ? 1 : 0);
      fastest = Math.min(fastest, taken);
    }
    return fastest / USUAL_NANOS;
  }
}

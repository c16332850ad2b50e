package io.waybill.proof.sim;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a run. */
final class Dice {
  static final long MS = 1_000_000L;

  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  int upTo(int bound) {
    return random.nextInt(bound);
  }

  /** Both ends included. */
  int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  /** Nanoseconds between two numbers of milliseconds. */
  long millis(long low, long high) {
    return random.nextLong(low * MS, high * MS + 1);
  }

  long micros(long low, long high) {
    return random.nextLong(low * 1000, high * 1000 + 1);
  }

  <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Small numbers are much more likely than large ones. */
  int skewed(int bound) {
    double d = random.nextDouble();
    return (int) (d * d * d * bound);
  }
}

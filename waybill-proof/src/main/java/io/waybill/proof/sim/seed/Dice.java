package io.waybill.proof.sim.seed;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a run. */
public final class Dice {
  /** Nanoseconds of a millisecond. */
  public static final long MS = 1_000_000L;

  private final SplittableRandom random;

  /** The same seed throws the same. */
  public Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** True with this probability; 0 throws nothing. */
  public boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** A number from 0, below the bound. */
  public int upTo(int bound) {
    return random.nextInt(bound);
  }

  /** Both ends included. */
  public int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  /** Nanoseconds between two numbers of milliseconds. */
  public long millis(long low, long high) {
    return random.nextLong(low * MS, high * MS + 1);
  }

  /** Nanoseconds between two numbers of microseconds. */
  public long micros(long low, long high) {
    return random.nextLong(low * 1000, high * 1000 + 1);
  }

  /** One of a list. */
  public <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** A number from 0, below the bound; small ones are much more likely than large ones. */
  public int skewed(int bound) {
    double d = random.nextDouble();
    return (int) (d * d * d * bound);
  }
}

package io.waybill.store;

import java.time.Duration;
import java.util.Objects;

/**
 * When a relay reads its table, and how many rows at a time. Whatever the rhythm, the next read
 * follows a full batch immediately, and it may be twice as large, up to {@value #BATCH} rows. The
 * pause therefore bounds how long an event waits; neither pause nor batch limits the throughput.
 * Immutable.
 *
 * @param rhythm pauses between reads
 * @param initialDelay time between the relay's start and its first read, not negative
 * @param batch most rows of a read that follows a pause, at least 1
 */
public record Polling(Rhythm rhythm, Duration initialDelay, int batch) {
  /** Most rows per read, unless a layout says otherwise. */
  public static final int BATCH = 2_000;

  /** Checks the values. */
  public Polling {
    Objects.requireNonNull(rhythm, "rhythm");
    if (initialDelay.isNegative()) {
      throw new IllegalArgumentException(
          "initialDelay must not be negative, but is " + initialDelay);
    }
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be at least 1, but is " + batch);
    }
  }

  /** The pauses between reads. */
  public sealed interface Rhythm {
    /**
     * Pauses that are short while events arrive, and grow with the time since the last event.
     *
     * @param min pause while events arrive
     * @param max pause of an idle relay, not below {@code min}
     */
    record Adaptive(Duration min, Duration max) implements Rhythm {
      /** Checks the order. */
      public Adaptive {
        Rhythm.positive("min", min);
        if (max.compareTo(min) < 0) {
          throw new IllegalArgumentException(
              "max must be at least min (" + min + "), but is " + max);
        }
      }
    }

    /**
     * A constant pause from the end of one read to the start of the next.
     *
     * @param pause more than zero
     */
    record FixedDelay(Duration pause) implements Rhythm {
      /** Checks the value. */
      public FixedDelay {
        Rhythm.positive("pause", pause);
      }
    }

    /**
     * Reads that start at multiples of a period; missed reads are left out.
     *
     * @param period more than zero
     */
    record FixedRate(Duration period) implements Rhythm {
      /** Checks the value. */
      public FixedRate {
        Rhythm.positive("period", period);
      }
    }

    private static void positive(String name, Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException(name + " must be more than zero, but is " + value);
      }
    }
  }

  /**
   * Creates polling whose pauses adapt to the events.
   *
   * @param min pause while events arrive
   * @param max pause of an idle relay
   * @return polling without initial delay, in batches of {@value #BATCH}
   */
  public static Polling adaptive(Duration min, Duration max) {
    return new Polling(new Rhythm.Adaptive(min, max), Duration.ZERO, BATCH);
  }

  /**
   * The default: from 5 ms to 50 ms.
   *
   * @return polling without initial delay, in batches of {@value #BATCH}
   */
  public static Polling adaptive() {
    return adaptive(Duration.ofMillis(5), Duration.ofMillis(50));
  }

  /**
   * Creates polling with the same pause after each batch that was not full.
   *
   * @param pause more than zero
   * @return polling without initial delay, in batches of {@value #BATCH}
   */
  public static Polling fixedDelay(Duration pause) {
    return new Polling(new Rhythm.FixedDelay(pause), Duration.ZERO, BATCH);
  }

  /**
   * Creates polling at multiples of a period.
   *
   * @param period more than zero
   * @return polling without initial delay, in batches of {@value #BATCH}
   */
  public static Polling fixedRate(Duration period) {
    return new Polling(new Rhythm.FixedRate(period), Duration.ZERO, BATCH);
  }

  /**
   * The same with another initial delay.
   *
   * @param delay not negative
   * @return changed copy
   */
  public Polling initialDelay(Duration delay) {
    return new Polling(rhythm, delay, batch);
  }

  /**
   * The same with other batches.
   *
   * @param rows at least 1
   * @return changed copy
   */
  public Polling batch(int rows) {
    return new Polling(rhythm, initialDelay, rows);
  }
}

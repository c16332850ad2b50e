package io.waybill.proof.proxy;

import java.time.Duration;

/** What one direction of all connections suffers from until it is removed. */
public sealed interface Toxic {
  /**
   * Every byte arrives later; the order stays.
   *
   * @param base least delay
   * @param jitter most that is added to it, at random
   */
  record Latency(Duration base, Duration jitter) implements Toxic {
    /** Checks the times. */
    public Latency {
      if (base.isNegative() || jitter.isNegative()) {
        throw new IllegalArgumentException(
            "Latency must not be negative, but is " + base + " + " + jitter);
      }
    }
  }

  /**
   * Each connection carries so much and no more.
   *
   * @param bytesPerSecond at least 1
   */
  record Bandwidth(long bytesPerSecond) implements Toxic {
    /** Checks the rate. */
    public Bandwidth {
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException(
            "Bandwidth must be at least 1 byte/s, but is " + bytesPerSecond);
      }
    }
  }

  /**
   * Bytes and ends of connections are swallowed without an answer. A connection that has lost some
   * is reset when the toxic is removed, since it could only go on with a hole.
   */
  record BlackHole() implements Toxic {}

  /** Nothing moves; when the toxic is removed everything arrives, as after a cut cable. */
  record Hold() implements Toxic {}

  /**
   * {@link Latency} without jitter.
   *
   * @param base the delay
   * @return the toxic
   */
  static Toxic latency(Duration base) {
    return new Latency(base, Duration.ZERO);
  }

  /**
   * {@link Latency}.
   *
   * @param base least delay
   * @param jitter most that is added to it, at random
   * @return the toxic
   */
  static Toxic latency(Duration base, Duration jitter) {
    return new Latency(base, jitter);
  }

  /**
   * {@link Bandwidth}.
   *
   * @param bytesPerSecond at least 1
   * @return the toxic
   */
  static Toxic bandwidth(long bytesPerSecond) {
    return new Bandwidth(bytesPerSecond);
  }

  /**
   * {@link BlackHole}.
   *
   * @return the toxic
   */
  static Toxic blackHole() {
    return new BlackHole();
  }

  /**
   * {@link Hold}.
   *
   * @return the toxic
   */
  static Toxic hold() {
    return new Hold();
  }
}

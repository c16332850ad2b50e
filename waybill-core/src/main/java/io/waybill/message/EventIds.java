package io.waybill.message;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes event ids: UUIDs of version 7, which grow with time and, within one generator, from one
 * call to the next. Thread-safe.
 */
public final class EventIds {
  private static final int COUNTER_LIMIT = 1 << 12;
  private static final EventIds SYSTEM =
      new EventIds(Clock.systemUTC(), new SplittableRandom(new SecureRandom().nextLong()));

  private final InstantSource clock;
  private final RandomGenerator random;
  private long millis;
  private int counter;

  /**
   * Creates a generator with its own clock and randomness.
   *
   * @param clock gives the milliseconds; if the clock goes back, the ids do not
   * @param random random bits; used under a lock
   */
  public EventIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /**
   * The generator of this process.
   *
   * @return the generator on the system clock
   */
  public static EventIds system() {
    return SYSTEM;
  }

  /**
   * Makes an id.
   *
   * @return 36 characters in lower case
   */
  public String next() {
    long high;
    long low;
    synchronized (this) {
      advance();
      high = millis << 16 | 0x7000 | counter;
      low = random.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
    }
    return new UUID(high, low).toString();
  }

  // The 12 bits after the version are a counter within the millisecond (RFC 9562, 6.2, method 1);
  // it
  // starts in the lower half so that it has room to grow, and borrows from the next millisecond.
  private void advance() {
    long now = clock.millis();
    if (now > millis) {
      millis = now;
      counter = random.nextInt(COUNTER_LIMIT / 2);
      return;
    }
    counter++;
    if (counter == COUNTER_LIMIT) {
      millis++;
      counter = 0;
    }
  }
}

package io.waybill.internal.work;

import java.time.Clock;
import java.time.InstantSource;

/** The time of day, for people and other systems; never for intervals. */
public final class WallClock {
  /** The machine's clock. */
  public static final InstantSource SYSTEM = Clock.systemUTC();

  private WallClock() {}
}

package io.waybill.kafka.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that the time of day was set back. Kafka's clients measure their pauses with it: one that
 * tried to connect before does not try again until the time is what it was (kafka-clients 4.3,
 * {@code ClusterConnectionStates.connectionDelay}), and a consumer sends no heartbeats meanwhile
 * ({@code Timer.update}). Only a new client starts afresh. Used by one thread.
 */
public final class DayClock {
  /** Less is no longer than the pauses of the clients. */
  private static final long LEAST_MILLIS = 500;

  /** Two clocks that are read so long after each other say nothing together. */
  private static final long APART_NANOS = 50_000_000;

  private final LongSupplier millis;
  private final LongSupplier nanos;
  private long lead;

  /** With the clocks of this machine. */
  public DayClock() {
    this(System::currentTimeMillis, System::nanoTime);
  }

  DayClock(LongSupplier millis, LongSupplier nanos) {
    this.millis = millis;
    this.nanos = nanos;
    this.lead = read();
  }

  /** How far it was set back since the last call; zero when that is less than half a second. */
  public Duration setBack() {
    long before = lead;
    lead = read();
    long back = before - lead;
    return back < LEAST_MILLIS ? Duration.ZERO : Duration.ofMillis(back);
  }

  /** How far the time of day is ahead of the clock that is never set. */
  private long read() {
    long first;
    long time;
    long second;
    do {
      first = nanos.getAsLong();
      time = millis.getAsLong();
      second = nanos.getAsLong();
    } while (second - first > APART_NANOS);
    return time - TimeUnit.NANOSECONDS.toMillis(first);
  }
}

package io.waybill.bench.measure;

import java.time.Duration;

/** Time that has to pass in a measurement. */
public final class Pause {
  private Pause() {}

  /** Sleeps. */
  public static void of(Duration length) {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** Waits for a thread. */
  public static void untilEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}

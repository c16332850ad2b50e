package io.waybill.bench;

import java.time.Duration;

/** Time that has to pass in a measurement. */
final class Pause {
  private Pause() {}

  static void of(Duration length) {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  static void untilEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}

package io.waybill.examples.polyshop;

import io.waybill.proof.oracle.KafkaTail;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Waits for messages. */
final class Arrivals {
  private static final long LOOK_MILLIS = 300;
  private static final long CALM_MILLIS = 700;
  private static final long STUCK_NANOS = Duration.ofMinutes(1).toNanos();

  private Arrivals() {}

  /** Until so many have arrived, or none does any more; late copies are waited for. */
  static void await(KafkaTail consumer, int expected, PrintStream out) throws InterruptedException {
    long moved = System.nanoTime();
    int arrived = -1;
    while (consumer.count() < expected && System.nanoTime() - moved < STUCK_NANOS) {
      if (consumer.count() != arrived) {
        arrived = consumer.count();
        moved = System.nanoTime();
        out.println(String.format(Locale.ROOT, "received %,d of %,d", arrived, expected));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    do {
      arrived = consumer.count();
      Thread.sleep(CALM_MILLIS);
    } while (consumer.count() > arrived);
  }
}

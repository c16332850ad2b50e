package io.waybill.bench.takeover;

import io.waybill.bench.measure.Pause;
import io.waybill.bench.stage.Child;
import java.time.Duration;

/**
 * Whether what is written arrives without delay.
 *
 * @param writer counts what it has committed
 * @param verifier counts what has arrived
 * @param rate events per second
 */
record Level(Child writer, Child verifier, int rate) {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(200);
  // So many in a row that find the consumer less than a tenth of a second behind.
  private static final int LOOKS = 5;

  void await() {
    long end = System.nanoTime() + LIMIT.toNanos();
    int looks = 0;
    while (looks < LOOKS) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "the relays have not caught up in %d s".formatted(LIMIT.toSeconds()));
      }
      Pause.of(LOOK);
      long behind = writer.count().events() - verifier.count().events();
      looks = behind <= Math.max(1, rate / 10) ? looks + 1 : 0;
    }
  }
}

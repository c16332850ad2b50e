package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.Interrupts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three minutes of one pair. Day by day it is another pair with another seed; {@code -Dtorture.day}
 * repeats one, {@code -Dtorture.minutes} sets the length.
 */
@Tag("server")
@Order(1)
class TortureSmokeTest {
  private static final int RATE = 120;
  // Kept for a second try of the build: what is lost once is no matter of timing.
  private static final List<Outcome> BROKEN = new CopyOnWriteArrayList<>();

  @Test
  void theOracleHoldsForTodaysPair() throws Exception {
    long day = Long.getLong("torture.day", LocalDate.now(ZoneOffset.UTC).toEpochDay());
    String minutes = System.getProperty("torture.minutes", "3");
    Pair[] pairs = Pair.values();
    Pair pair = pairs[(int) (day % pairs.length)];
    Path keep = Path.of("target", "torture");
    TortureOptions options =
        TortureOptions.parse(
            "--pair",
            pair.label(),
            "--seed",
            Long.toString(day),
            "--minutes",
            minutes,
            "--rate",
            Integer.toString(RATE),
            "--keep",
            keep.toString());
    System.out.printf(
        "The same again: ./torture --pair %s --seed %d --minutes %s --rate %d%n",
        pair.label(), day, minutes, RATE);

    long start = System.nanoTime();
    Outcome outcome = new TortureRun(options, System.out, new Interrupts()).run();

    if (outcome.counts().broken() > 0) {
      BROKEN.add(outcome);
    }
    assertThat(BROKEN).isEmpty();
    assertThat(outcome.findings()).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(options.length());
    assertThat(outcome.events()).isPositive();
    assertThat(outcome.faults()).isPositive();
  }
}

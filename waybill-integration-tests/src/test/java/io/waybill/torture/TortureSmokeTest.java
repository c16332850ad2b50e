package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A minute of relays and half of one of consumers, of one pair. Day by day it is another one of the
 * four whose servers are installed, with another seed; {@code -Dtorture.day} repeats one, {@code
 * -Dtorture.minutes} sets the length of the first.
 */
@Tag("long")
@Tag("server")
@Order(1)
class TortureSmokeTest {
  private static final int RATE = 120;
  private static final int CONSUMERS_RATE = 60;
  // Kept for a second try of the build: what is lost once is no matter of timing.
  private static final List<Outcome> BROKEN = new CopyOnWriteArrayList<>();

  @Test
  void theOracleHoldsForTodaysPair() throws Exception {
    TortureOptions options = options(System.getProperty("torture.minutes", "1"), RATE);

    holds(options, new TortureRun(options, System.out, new Interrupts())::run);
  }

  @Test
  void theOracleOfConsumersHoldsForTodaysPair() throws Exception {
    TortureOptions options = options("0.5", CONSUMERS_RATE, "--consumers");

    holds(options, new ConsumerRun(options, System.out, new Interrupts())::run);
  }

  private static TortureOptions options(String minutes, int rate, String... more) {
    long day = Long.getLong("torture.day", LocalDate.now(ZoneOffset.UTC).toEpochDay());
    List<Pair> pairs =
        Arrays.stream(Pair.values()).filter(each -> each != Pair.MYSQL_KAFKA).toList();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--pair",
                pairs.get((int) (day % pairs.size())).label(),
                "--seed",
                Long.toString(day),
                "--minutes",
                minutes,
                "--rate",
                Integer.toString(rate)));
    arguments.addAll(List.of(more));
    System.out.println("The same again: ./torture " + String.join(" ", arguments));
    arguments.addAll(List.of("--keep", Path.of("target", "torture").toString()));
    return TortureOptions.parse(arguments.toArray(String[]::new));
  }

  private static void holds(TortureOptions options, Callable<Outcome> run) throws Exception {
    long start = System.nanoTime();
    Outcome outcome = run.call();

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

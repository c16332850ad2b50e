package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.kernel.Place;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SweepsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private long now = 42;
  private final Sweeps sweeps = new Sweeps(() -> now);

  @BeforeEach
  void start() {
    sweeps.restart();
  }

  @Test
  void aShortSweepBeginsWhereTheReaderStoodTenSecondsAgo() {
    assertThat(sweeps.shortFrom()).isNull();
    for (int second = 1; second <= 30; second++) {
      now += SECOND;
      sweeps.moved(new Place(second, 1L));
      if (second <= 10) {
        assertThat(sweeps.shortFrom()).as("after %d s", second).isNull();
      }
    }
    Place from = Objects.requireNonNull(sweeps.shortFrom());
    assertThat(from.value()).isBetween(17L, 20L);
    sweeps.restart();
    assertThat(sweeps.shortFrom()).isNull();
  }

  @Test
  void quickFullSweepsRunAlways() {
    for (int i = 0; i < 10; i++) {
      assertThat(sweeps.fullDue()).isTrue();
      fullSweep(MILLI, 999);
    }
  }

  @Test
  void slowFullSweepsRunAfterTwentyTimesTheirDuration() {
    fullSweep(100 * MILLI, 10);
    assertThat(sweeps.fullDue()).as("one may be slow").isTrue();
    fullSweep(100 * MILLI, 10);
    assertThat(sweeps.fullDue()).isFalse();
    now += 2 * SECOND - 1;
    assertThat(sweeps.fullDue()).isFalse();
    now += 1;
    assertThat(sweeps.fullDue()).isTrue();
  }

  @Test
  void fullSweepsOfManyRowsRunEverySecond() {
    fullSweep(MILLI, 1000);
    assertThat(sweeps.fullDue()).isFalse();
    now += SECOND;
    assertThat(sweeps.fullDue()).isTrue();
  }

  @Test
  void rowsOlderThanTheLastSweepAreSafe() {
    assertThat(sweeps.unsafe(0)).as("nothing swept yet").isTrue();
    sweeps.swept(10_000_000);
    assertThat(sweeps.unsafe(9_000_000)).isFalse();
    assertThat(sweeps.unsafe(9_000_001)).as("clocks differ").isTrue();
  }

  private void fullSweep(long nanos, int ids) {
    long began = sweeps.now();
    now += nanos;
    sweeps.sweptAll(began, ids);
  }
}

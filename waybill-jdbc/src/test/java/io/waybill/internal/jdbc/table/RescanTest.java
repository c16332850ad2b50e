package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.kernel.Place;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RescanTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private long now = 42;
  private final Rescan rescan = new Rescan(() -> now);

  @BeforeEach
  void start() {
    rescan.restart();
  }

  @Test
  void aShortSweepBeginsWhereTheReaderStoodTenSecondsAgo() {
    assertThat(rescan.shortFrom()).isNull();
    for (int second = 1; second <= 30; second++) {
      now += SECOND;
      rescan.moved(new Place(second, 1L));
      if (second <= 10) {
        assertThat(rescan.shortFrom()).as("after %d s", second).isNull();
      }
    }
    Place from = Objects.requireNonNull(rescan.shortFrom());
    assertThat(from.value()).isBetween(17L, 20L);
    rescan.restart();
    assertThat(rescan.shortFrom()).isNull();
  }

  @Test
  void quickFullSweepsRunAlways() {
    for (int i = 0; i < 10; i++) {
      assertThat(rescan.fullDue()).isTrue();
      fullRescan(MILLI, 999);
    }
  }

  @Test
  void slowFullSweepsRunAfterTwentyTimesTheirDuration() {
    fullRescan(100 * MILLI, 10);
    assertThat(rescan.fullDue()).as("one may be slow").isTrue();
    fullRescan(100 * MILLI, 10);
    assertThat(rescan.fullDue()).isFalse();
    now += 2 * SECOND - 1;
    assertThat(rescan.fullDue()).isFalse();
    now += 1;
    assertThat(rescan.fullDue()).isTrue();
  }

  @Test
  void fullSweepsOfManyRowsRunEverySecond() {
    fullRescan(MILLI, 1000);
    assertThat(rescan.fullDue()).isFalse();
    now += SECOND;
    assertThat(rescan.fullDue()).isTrue();
  }

  @Test
  void rowsOlderThanTheLastSweepAreSafe() {
    assertThat(rescan.unsafe(0)).as("nothing rescanned yet").isTrue();
    rescan.rescanned(10_000_000);
    assertThat(rescan.unsafe(9_000_000)).isFalse();
    assertThat(rescan.unsafe(9_000_001)).as("clocks differ").isTrue();
  }

  private void fullRescan(long nanos, int ids) {
    long began = rescan.now();
    now += nanos;
    rescan.rescannedAll(began, ids);
  }
}

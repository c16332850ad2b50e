package io.waybill.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RowIdsTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));

  @Test
  void idsGrowWhateverTheClockDoes() {
    RowIds ids = RowIds.timeOrdered(7, now::get);
    long last = 0;
    for (int i = 0; i < 10_000; i++) {
      if (i % 1_000 == 0) {
        now.updateAndGet(time -> time.minusSeconds(1));
      }
      long id = ids.next();
      assertThat(id).isGreaterThan(last);
      last = id;
    }
  }

  @Test
  void laterOnesAreLargerThanThoseOfOtherNodes() {
    long before = RowIds.timeOrdered(RowIds.MAX_NODE, now::get).next();
    now.updateAndGet(time -> time.plusMillis(16));
    assertThat(RowIds.timeOrdered(0, now::get).next()).isGreaterThan(before);
  }

  @Test
  void nodesShareNone() {
    Set<Long> seen = new HashSet<>();
    for (int node : new int[] {0, 1, RowIds.MAX_NODE}) {
      RowIds ids = RowIds.timeOrdered(node, now::get);
      for (int i = 0; i < 5_000; i++) {
        assertThat(seen.add(ids.next())).isTrue();
      }
    }
  }

  @Test
  void theyLastUntil2093() {
    now.set(Instant.parse("2093-01-01T00:00:00Z"));
    assertThat(RowIds.timeOrdered(RowIds.MAX_NODE, now::get).next()).isPositive();
  }

  @Test
  void aNodeOutOfRangeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowIds.timeOrdered(65_536))
        .withMessageContaining("0 to 65535");
  }
}

package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettlementPaceTest {
  private static final long QUICK = Duration.ofMillis(50).toNanos();
  private static final long SLOW = Duration.ofSeconds(2).toNanos();

  private final SettlementPace pace = new SettlementPace();

  @Test
  void aQuickServerGetsMoreRowsAtATimeUpToABound() {
    for (int i = 0; i < 10; i++) {
      pace.took(pace.rows(), QUICK);
    }
    assertThat(pace.rows()).isEqualTo(SettlementPace.MOST);
  }

  @Test
  void aSlowServerGetsFewerRowsAtATimeDownToABound() {
    pace.took(pace.rows(), SLOW);
    assertThat(pace.rows()).isEqualTo(SettlementPace.FIRST / 2);
    for (int i = 0; i < 10; i++) {
      pace.took(pace.rows(), SLOW);
    }
    assertThat(pace.rows()).isEqualTo(SettlementPace.FEWEST);
  }

  @Test
  void fewRowsDoNotShowThatMoreWouldBeQuick() {
    pace.took(1, QUICK);
    assertThat(pace.rows()).isEqualTo(SettlementPace.FIRST);
  }

  @Test
  void whatWaitsWithoutSuchRowsDoesNotCount() {
    pace.took(0, SLOW);
    assertThat(pace.rows()).isEqualTo(SettlementPace.FIRST);
  }

  @Test
  void twentyMillisecondsForEachRowLastHalfASecondInTheEnd() {
    long each = Duration.ofMillis(20).toNanos();
    for (int i = 0; i < 20; i++) {
      pace.took(pace.rows(), pace.rows() * each);
    }
    assertThat(pace.rows() * each).isLessThanOrEqualTo(SettlementPace.LONG.toNanos());
  }
}

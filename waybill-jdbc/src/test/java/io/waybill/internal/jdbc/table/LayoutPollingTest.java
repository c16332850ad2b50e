package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.store.Polling;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LayoutPollingTest {
  @Test
  void theNotificationTableIsReadAsDocumented() {
    Polling polling = LayoutPolling.of(Layouts.NOTIFICATION);
    assertThat(polling.rhythm()).isEqualTo(new Polling.Rhythm.FixedDelay(Duration.ofSeconds(1)));
    assertThat(polling.batch()).isEqualTo(100);
    assertThat(polling.initialDelay()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aRecordOrNoneMakesNoDifference() {
    assertThat(LayoutPolling.of(Layouts.NOTIFICATION.record(null)))
        .isEqualTo(LayoutPolling.of(Layouts.NOTIFICATION));
  }

  @Test
  void theWalletIsReadAtAFixedRateAlsoUnderAnotherName() {
    Polling polling = LayoutPolling.of(Layouts.WALLET.table(new TableName("bank", "wallet_out")));
    assertThat(polling).isEqualTo(Polling.fixedRate(Duration.ofSeconds(5)));
  }

  @Test
  void othersAreReadAsEventsArrive() {
    assertThat(LayoutPolling.of(Layouts.POLYSHOP)).isEqualTo(Polling.adaptive().batch(100));
    assertThat(LayoutPolling.of(Layouts.EVENT_OUTBOX)).isEqualTo(Polling.adaptive());
    assertThat(LayoutPolling.of(Layouts.WAYBILL)).isEqualTo(Polling.adaptive());
  }
}

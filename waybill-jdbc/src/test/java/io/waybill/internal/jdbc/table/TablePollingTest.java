package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.store.Polling;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TablePollingTest {
  @Test
  void theNotificationTableIsReadAsDocumented() {
    Polling polling = TablePolling.of(Layouts.NOTIFICATION);
    assertThat(polling.rhythm()).isEqualTo(new Polling.Rhythm.FixedDelay(Duration.ofSeconds(1)));
    assertThat(polling.batch()).isEqualTo(100);
    assertThat(polling.initialDelay()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aRecordOrNoneMakesNoDifference() {
    assertThat(TablePolling.of(Layouts.NOTIFICATION.record(null)))
        .isEqualTo(TablePolling.of(Layouts.NOTIFICATION));
  }

  @Test
  void theWalletIsReadAtAFixedRateAlsoUnderAnotherName() {
    Polling polling = TablePolling.of(Layouts.WALLET.table(new TableName("bank", "wallet_out")));
    assertThat(polling).isEqualTo(Polling.fixedRate(Duration.ofSeconds(5)));
  }

  @Test
  void othersAreReadAsEventsArrive() {
    assertThat(TablePolling.of(Layouts.POLYSHOP)).isEqualTo(Polling.adaptive().batch(100));
    assertThat(TablePolling.of(Layouts.EVENT_OUTBOX)).isEqualTo(Polling.adaptive());
    assertThat(TablePolling.of(Layouts.WAYBILL)).isEqualTo(Polling.adaptive());
  }
}

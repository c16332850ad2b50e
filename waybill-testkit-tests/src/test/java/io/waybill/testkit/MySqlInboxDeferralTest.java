package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Headers;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.RefusedDataException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MySqlInboxDeferralTest extends InboxDeferralContract {
  private static final InboxDatabase DATABASE = new MySqlInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }

  @Test
  void anEventAboveTheServersPacketIsRefusedAndOthersGoOn() throws SQLException {
    InboxStore store = open("a");
    int limit = Integer.parseInt(texts("select @@max_allowed_packet").get(0));
    DeferredEvent tooLarge =
        new DeferredEvent(
            event("e1", "k"), new byte[limit + 1], Headers.NONE, 0, 1, 0, "broken", null, false);

    assertThatThrownBy(() -> defer(store, tooLarge)).isInstanceOf(RefusedDataException.class);
    assertThat(defer(store, deferred(event("e2", "k"), 0))).isTrue();
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }
}

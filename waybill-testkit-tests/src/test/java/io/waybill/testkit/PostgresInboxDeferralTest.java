package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.store.InboxStore;
import io.waybill.store.RefusedDataException;
import org.junit.jupiter.api.Test;

class PostgresInboxDeferralTest extends InboxDeferralContract {
  private static final InboxDatabase DATABASE = new PostgresInboxDatabase();

  @Override
  protected InboxDatabase database() {
    return DATABASE;
  }

  @Test
  void aTimeThatTheServerDoesNotHaveIsRefusedAndOthersGoOn() {
    InboxStore store = open("a");

    assertThatThrownBy(() -> defer(store, deferred(event("e1", "k"), Long.MAX_VALUE / 1_000)))
        .isInstanceOf(RefusedDataException.class)
        .hasMessageContaining("SQLState 22");
    assertThat(defer(store, deferred(event("e2", "k"), 0))).isTrue();
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }
}

package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.OnPublished;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresOutboxStoreKeepTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.KEEP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  /** What is kept is noted beside the outbox: nobody's lock is in the way. */
  @Override
  @Test
  void aRowThatIsLockedIsNamedAsSuch() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("locked", "1"));
    List<OutboxRow> rows = drain(reader);
    try (Connection holder = FIXTURE.connect()) {
      holder.setAutoCommit(false);
      FIXTURE.lock(holder, "locked");

      assertThat(store().settle(session, Settlement.published(rows)))
          .isEqualTo(new Settled(false, 1));
    }
  }
}

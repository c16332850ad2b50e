package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.OnPublished;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.RefusedChangeException;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresOutboxStoreTest extends OutboxStoreContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void aRowThatATriggerKeepsIsRefusedAndCanBeSetAside() throws SQLException {
    Session session = owner();
    insert(WrittenEvent.of("kept", "1"), WrittenEvent.of("fine", "2"));
    OutboxReader reader = reader();
    assignAll(reader);
    List<OutboxRow> rows = drain(reader);
    OutboxStore store = store();
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create function keep() returns trigger language plpgsql as
            $$ begin raise exception 'rows of % are kept', old.event_id; end $$;
          create trigger keep before delete on waybill_outbox
            for each row when (old.event_id = 'kept') execute function keep()""");

      assertThatExceptionOfType(RefusedChangeException.class)
          .isThrownBy(() -> store.settle(session, Settlement.published(rows)))
          .returns(false, RefusedChangeException::isLocked)
          .returns(
              "org.postgresql.util.PSQLException (SQLState P0001): ERROR: rows of kept are kept",
              RefusedChangeException::reason);

      List<FailedRow> aside =
          List.of(new FailedRow(rows.get(0), RowState.PARKED, 0, true, 0, "mark-refused", "kept"));
      Settlement rest =
          new Settlement(
              rows.subList(1, 2),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              aside,
              List.of());
      assertThat(store.settle(session, rest)).isEqualTo(new Settled(false, 2));
      assertThat(FIXTURE.status("kept")).isEqualTo("PARKED");
      assertThat(FIXTURE.status("fine")).isEqualTo("GONE");
      statement.execute("drop trigger keep on waybill_outbox; drop function keep()");
    }
  }
}

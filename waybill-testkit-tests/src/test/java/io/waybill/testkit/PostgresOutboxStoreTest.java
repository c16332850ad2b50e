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
import io.waybill.testkit.StoreFixture.ByHand;
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

  /** A relay takes lanes over that another one has had, and has known their rows for long. */
  @Test
  void whatSomebodySetBackIsReadAtATakeOverByAReaderThatHadPassedIt() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("parked", "stays", "held", "fine");
    List<FailedRow> failed =
        List.of(failed(rows.get(0), RowState.PARKED, 1), failed(rows.get(1), RowState.PARKED, 1));
    store()
        .settle(
            session,
            new Settlement(rows.subList(3, 4), List.of(), failed, rows.subList(2, 3), List.of()));
    OutboxReader reader = reader();
    for (int takeOver = 0; takeOver < 2; takeOver++) {
      assertThat(assignAll(reader).failed()).hasSize(2);
      assertThat(drain(reader)).isEmpty();
      reader.revoke(allLanes());
    }

    fixture().byHand(ByHand.SET_BACK, "parked");

    for (int takeOver = 0; takeOver < 2; takeOver++) {
      assertThat(assignAll(reader).failed())
          .singleElement()
          .returns("stays", row -> name(row.row()));
      assertThat(ids(drain(reader))).containsExactly("parked");
      reader.revoke(allLanes());
    }
    store().settle(session, Settlement.published(rows.subList(0, 1)));
    assignAll(reader);
    assertThat(drain(reader)).isEmpty();
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

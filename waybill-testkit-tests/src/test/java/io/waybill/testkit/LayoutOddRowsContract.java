package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows that somebody edited by hand, and columns wider than Waybill's, stop nothing else. */
@Tag("server")
abstract class LayoutOddRowsContract extends StoreContract {
  @Override
  protected abstract LayoutFixture fixture();

  abstract TestDatabase database();

  private String table() {
    return String.valueOf(fixture().layout().table());
  }

  void run(String sql) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aKeyOfAnyLengthCanFailAndHoldOthers() throws SQLException {
    run(database().changeColumn(table(), "entity_pk", "varchar(600)"));
    String key = "k".repeat(590);
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", key), WrittenEvent.of("b", key + "2"));
    List<OutboxRow> rows = drain(reader);
    Session session = owner();
    FailedRow parked = new FailedRow(rows.get(0), RowState.PARKED, 1, false, 0, "nack", "no");
    store()
        .settle(
            session,
            new Settlement(List.of(), List.of(), List.of(parked), List.of(rows.get(1)), List.of()));

    OutboxReader next = reader();
    Backlog backlog = assignAll(next);
    assertThat(backlog.failed())
        .extracting(failed -> failed.row().key())
        .containsExactly(fixture().key("order", key));
    assertThat(backlog.held())
        .extracting(held -> held.key())
        .containsExactly(fixture().key("order", key + "2"));
    assertThat(ids(next.readHeld(List.of(fixture().key("order", key + "2")), 10, BYTES).rows()))
        .containsExactly("b");
  }

  /** No statement and no answer grows with the number of blocked keys. */
  @Test
  void whatIsBlockedComesInPages() throws SQLException {
    int events = 10_200;
    OutboxReader first = warmReader();
    WrittenEvent[] all = new WrittenEvent[events];
    Arrays.setAll(all, i -> WrittenEvent.of("e" + i, "k" + i % 7_000));
    insert(all);
    List<OutboxRow> rows = drain(first);
    Session session = owner();
    try (OutboxStore store = store()) {
      for (int from = 0; from < events; from += 1_000) {
        List<OutboxRow> held = rows.subList(from, Math.min(events, from + 1_000));
        store.settle(session, new Settlement(List.of(), List.of(), List.of(), held, List.of()));
      }
    }
    OutboxReader reader = reader();
    List<HeldKey> keys = new ArrayList<>(assignAll(reader).held());
    assertThat(keys).hasSizeLessThanOrEqualTo(10_000);
    ReadResult rest;
    do {
      rest = reader.read(ROWS, BYTES);
      assertThat(rest.rows()).isEmpty();
      keys.addAll(rest.backlog().held());
    } while (rest.more());

    assertThat(keys.stream().mapToLong(HeldKey::rows).sum()).isEqualTo(events);
    assertThat(keys).extracting(HeldKey::key).doesNotContainNull().hasSizeGreaterThan(7_000);
  }

  @Test
  void nullsOfAHandStopNoOtherRow() throws SQLException {
    for (String change :
        List.of(
            database().changeColumn(table(), "event_key", "char(36)"),
            database().changeColumn(table(), "event_type", "varchar(100)"),
            database().changeColumn(table(), "attempts", "int"),
            database().changeColumn(table(), "created_at", database().timeType()))) {
      run(change);
    }
    insert(
        WrittenEvent.of("no-key", "1"),
        WrittenEvent.of("no-type", "2"),
        WrittenEvent.of("no-attempts", "3"),
        WrittenEvent.of("no-time", "4"),
        WrittenEvent.of("negative", "5"),
        WrittenEvent.of("good", "6"));
    run("update " + table() + " set event_key = null where event_type = 'no-key'");
    run("update " + table() + " set attempts = null where event_type = 'no-attempts'");
    run("update " + table() + " set created_at = null where event_type = 'no-time'");
    run("update " + table() + " set attempts = -5 where event_type = 'negative'");
    run("update " + table() + " set event_type = null where event_type = 'no-type'");

    OutboxReader reader = reader();
    assignAll(reader);
    List<OutboxRow> rows = drain(reader);

    assertThat(rows)
        .extracting(OutboxRow::eventType)
        .containsExactlyInAnyOrder("no-key", "", "no-attempts", "negative", "good");
    assertThat(rows)
        .filteredOn(row -> row.eventId().isEmpty())
        .extracting(OutboxRow::eventType)
        .containsExactly("no-key");
    try (OutboxStore store = store()) {
      store.settle(owner(), Settlement.published(rows));
    }
    run("delete from " + table() + " where event_type <> 'no-attempts' or event_type is null");
    assertThat(fixture().column("concat(status, attempts)")).isEqualTo("sent1");
  }
}

package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A documented table with one relay: writes one event, reads it and settles it. */
final class LayoutTable extends StoreContract implements AutoCloseable {
  static final String EVENT_OUTBOX =
      """
      concat(status, ' ', attempts,
        case when next_attempt_at is null then '' else ' next' end,
        case when processed_at is null then '' else ' processed' end)""";

  final LayoutFixture fixture;
  final Session session;
  private final OutboxStore store;

  LayoutTable(TestDatabase database, SampleTable sample) throws SQLException {
    fixture = new LayoutFixture(database, sample);
    session = owner();
    store = store();
  }

  @Override
  protected StoreFixture fixture() {
    return fixture;
  }

  OutboxRow written() throws SQLException {
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", "1"));
    return drain(reader).get(0);
  }

  void publish(OutboxRow row) {
    store.settle(session, Settlement.published(List.of(row)));
  }

  void recover(OutboxRow row) {
    store.settle(session, new Settlement(List.of(), List.of(row), List.of(), List.of(), List.of()));
  }

  void fail(OutboxRow row, RowState state) {
    fail(row, state, 1);
  }

  /** After so many sends, as many of them refusals. */
  void fail(OutboxRow row, RowState state, int attempts) {
    long delay = state == RowState.RETRY ? 60_000 : 0;
    FailedRow failed =
        new FailedRow(row.sends(attempts), state, attempts, false, delay, "nack", "no");
    store.settle(
        session, new Settlement(List.of(), List.of(), List.of(failed), List.of(), List.of()));
  }

  /** After so many sends without an answer. */
  int note(OutboxRow row, int sends, Duration next) {
    FailedRow noted =
        new FailedRow(
            row.sends(sends), RowState.RETRY, 0, true, next.toMillis(), "timeout", "since noon");
    return store.settle(session, notes(noted)).won();
  }

  boolean isNoted(Session by, OutboxRow row) {
    FailedRow noted = new FailedRow(row.sends(9), RowState.RETRY, 0, true, 0, "timeout", "");
    return !store.settle(by, notes(noted)).fenced();
  }

  private static Settlement notes(FailedRow... noted) {
    return new Settlement(
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(noted));
  }

  /** What another relay reads that takes over now. */
  List<OutboxRow> readByTheNextOwner() {
    fixture.lanes().leave(session);
    Session next = owner();
    OutboxReader reader = reader();
    assertThat(reader.assign(next, allLanes()).failed()).isEmpty();
    return drain(reader);
  }

  void hold(OutboxRow row) {
    store.settle(session, new Settlement(List.of(), List.of(), List.of(), List.of(row), List.of()));
  }

  @Nullable String column(String expression) throws SQLException {
    return fixture.column(expression);
  }

  @Override
  public void close() {
    try {
      closeAll();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

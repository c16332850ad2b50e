package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.ByHand;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Rows that somebody changed with SQL, and row ids that come again. */
abstract class ChangedRowsContract extends StoreContract {
  @Test
  void aNewRowInheritsNothingOfAnOldOneWithItsNumber() throws SQLException {
    Session session = owner();
    fixture().renumber();
    List<OutboxRow> old = written("published", "parked", "dead", "retried", "held");
    store()
        .settle(
            session,
            settlement(
                old.subList(0, 1),
                List.of(
                    failed(old.get(1), RowState.PARKED, 1),
                    failed(old.get(2), RowState.DEAD, 1),
                    failed(old.get(3), RowState.RETRY, 1)),
                old.subList(4, 5)));
    fixture().request("SKIP", "parked");

    fixture().renumber();
    insertEach("new-1", "new-2", "new-3", "new-4", "new-5");

    OutboxReader reader = reader();
    assertThat(assignAll(reader).failed()).isEmpty();
    assertThat(reader.readHeld(List.of(key("1")), 9, BYTES).rows()).isEmpty();
    assertThat(ids(drain(reader))).containsExactly("new-1", "new-2", "new-3", "new-4", "new-5");
    assertThat(reader.requests(10))
        .allSatisfy(request -> assertThat(request.state()).isEqualTo(EventState.GONE));
    assertThat(fixture().status("new-1")).isEqualTo("PENDING");
    assertThat(fixture().status("new-2")).isEqualTo("PENDING");
    assertThat(fixture().status("new-3")).isEqualTo("PENDING");
  }

  @Test
  void aSettlementLeavesNewRowsWithOldNumbersAlone() throws SQLException {
    Session session = owner();
    fixture().renumber();
    List<OutboxRow> old = written("published", "recovered", "parked", "dead", "held");
    fixture().renumber();
    insertEach("new-1", "new-2", "new-3", "new-4", "new-5");

    store().settle(session, Settlement.published(old.subList(0, 1)));
    store()
        .settle(
            session,
            new Settlement(
                List.of(),
                old.subList(1, 2),
                List.of(
                    failed(old.get(2), RowState.PARKED, 1), failed(old.get(3), RowState.DEAD, 1)),
                old.subList(4, 5),
                List.of()));

    OutboxReader reader = reader();
    assertThat(assignAll(reader).failed()).isEmpty();
    assertThat(ids(drain(reader))).containsExactly("new-1", "new-2", "new-3", "new-4", "new-5");
    assertThat(fixture().status("new-4")).isEqualTo("PENDING");
  }

  @Test
  void whatANewRowGoesThroughReplacesWhatAnOldOneWentThrough() throws SQLException {
    Session session = owner();
    fixture().renumber();
    List<OutboxRow> old = written("a", "b", "c");
    OutboxStore store = store();
    Settlement ofOld =
        settlement(
            old.subList(0, 1), List.of(failed(old.get(1), RowState.DEAD, 1)), old.subList(2, 3));
    store.settle(session, ofOld);
    fixture().renumber();
    List<OutboxRow> rows = written("new-a", "new-b", "new-c");
    store.settle(
        session,
        settlement(
            rows.subList(0, 1),
            List.of(failed(rows.get(1), RowState.PARKED, 2)),
            rows.subList(2, 3)));

    OutboxReader reader = reader();
    assertThat(assignAll(reader).failed())
        .singleElement()
        .returns("new-b", failed -> name(failed.row()));
    assertThat(drain(reader)).isEmpty();
    assertThat(ids(reader.readHeld(List.of(key("1")), 9, BYTES).rows())).containsExactly("new-c");
    assertThat(fixture().status("new-a")).isIn("PUBLISHED", "GONE");
    assertThat(fixture().status("new-b")).isEqualTo("PARKED");
  }

  @Test
  void whatIsForgottenOfOldRowsStaysKnownOfNewOnesWithTheirNumbers() throws SQLException {
    Session session = owner();
    fixture().renumber();
    List<OutboxRow> old = written("recovered", "forgotten", "blocked", "failed", "gone");
    fixture().renumber();
    List<OutboxRow> rows = written("parked-1", "parked-2", "parked-3", "held-1", "held-2");
    List<FailedRow> parked =
        rows.subList(0, 3).stream().map(row -> failed(row, RowState.PARKED, 1)).toList();
    store()
        .settle(
            session, new Settlement(List.of(), List.of(), parked, rows.subList(3, 5), List.of()));

    store()
        .settle(
            session,
            new Settlement(
                List.of(),
                old.subList(0, 1),
                List.of(failed(old.get(3), RowState.PARKED, 1)),
                old.subList(2, 3),
                List.of(),
                List.of(old.get(1).ref(), old.get(4).ref()),
                List.of(),
                List.of()));

    OutboxReader reader = reader();
    assertThat(assignAll(reader).failed())
        .extracting(failed -> name(failed.row()))
        .containsExactly("parked-1", "parked-2", "parked-3");
    assertThat(ids(reader.readHeld(List.of(key("1")), 9, BYTES).rows()))
        .containsExactly("held-1", "held-2");
  }

  @Test
  void aRowThatSomebodyMarkedBeforeItWasReadIsNotSent() throws SQLException {
    owner();
    insertEach("marked", "removed", "fine");
    fixture().byHand(ByHand.MARK, "marked");
    fixture().byHand(ByHand.REMOVE, "removed");

    assertThat(ids(assigned())).containsExactly("fine");
    assertThat(fixture().status("marked")).isIn("PUBLISHED", "GONE");
  }

  @Test
  void whatSomebodyMarkedOrRemovedBlocksNothing() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("removed", "marked", "parked", "held");
    List<FailedRow> failed =
        rows.subList(0, 3).stream().map(row -> failed(row, RowState.PARKED, 1)).toList();
    store().settle(session, settlement(List.of(), failed, rows.subList(3, 4)));

    fixture().byHand(ByHand.REMOVE, "removed");
    fixture().byHand(ByHand.MARK, "marked");
    fixture().byHand(ByHand.MARK, "held");

    OutboxReader reader = reader();
    assertThat(assignAll(reader).failed())
        .singleElement()
        .returns("parked", row -> name(row.row()));
    assertThat(reader.readHeld(List.of(key("1")), 9, BYTES).rows()).isEmpty();
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void theNextOwnerForgetsWhatIsRecordedOfRowsThatSomebodyRemovedOrMarked() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("removed", "marked", "dead", "parked", "held", "held-removed");
    List<FailedRow> failed =
        List.of(
            failed(rows.get(0), RowState.PARKED, 1),
            failed(rows.get(1), RowState.PARKED, 1),
            failed(rows.get(2), RowState.DEAD, 1),
            failed(rows.get(3), RowState.PARKED, 1));
    store().settle(session, settlement(List.of(), failed, rows.subList(4, 6)));
    fixture().byHand(ByHand.REMOVE, "removed");
    fixture().byHand(ByHand.MARK, "marked");
    fixture().byHand(ByHand.REMOVE, "dead");
    fixture().byHand(ByHand.REMOVE, "held-removed");

    List<RowRef> orphaned = assignAll(reader()).orphaned();

    assertThat(orphaned)
        .extracting(RowRef::rowId)
        .containsExactlyInAnyOrder(
            rows.get(0).rowId(), rows.get(1).rowId(), rows.get(2).rowId(), rows.get(5).rowId());
    store().settle(session, forgotten(orphaned));
    Backlog left = assignAll(reader());
    assertThat(left.orphaned()).isEmpty();
    assertThat(left.failed()).extracting(row -> name(row.row())).containsExactly("parked");
    assertThat(left.held()).extracting(HeldKey::rows).containsExactly(1L);
  }

  @Test
  void aDeadRowThatSomebodySetBackIsReadAndPublished() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("dead", "fine");
    OutboxStore store = store();
    store.settle(session, failures(failed(rows.get(0), RowState.DEAD, 1)));
    assertThat(fixture().status("dead")).isEqualTo("DEAD");

    fixture().byHand(ByHand.SET_BACK, "dead");

    List<OutboxRow> read = assigned();
    assertThat(ids(read)).containsExactly("dead", "fine");
    store.settle(session, Settlement.published(read));
    assertThat(assigned()).isEmpty();
  }

  @Test
  void aLookShowsWhatTheTableSays() throws SQLException {
    Session session = owner();
    String[] names = {"pending", "retry", "parked", "dead", "held", "removed", "marked", "back"};
    List<OutboxRow> rows = written(names);
    OutboxStore store = store();
    store.settle(
        session,
        settlement(
            List.of(),
            List.of(
                failed(rows.get(1), RowState.RETRY, 1),
                failed(rows.get(2), RowState.PARKED, 1),
                failed(rows.get(3), RowState.DEAD, 1),
                failed(rows.get(5), RowState.PARKED, 1),
                failed(rows.get(6), RowState.PARKED, 1),
                failed(rows.get(7), RowState.DEAD, 1)),
            rows.subList(4, 5)));
    fixture().byHand(ByHand.REMOVE, "removed");
    fixture().byHand(ByHand.MARK, "marked");
    fixture().byHand(ByHand.SET_BACK, "back");
    OutboxReader reader = reader();
    assignAll(reader);

    List<RowRef> refs = rows.stream().map(OutboxRow::ref).toList();
    List<RowLook> looks = reader.look(refs, BYTES);

    assertThat(looks).extracting(RowLook::ref).containsExactlyElementsOf(refs);
    assertThat(looks.subList(0, 6))
        .extracting(RowLook::state)
        .containsExactly(
            EventState.PENDING,
            EventState.RETRY,
            EventState.PARKED,
            EventState.DEAD,
            EventState.HELD,
            EventState.GONE);
    assertThat(looks.get(6).state()).isIn(EventState.PUBLISHED, EventState.GONE);
    assertThat(looks.get(7).state()).isEqualTo(EventState.PENDING);
    OutboxRow pending = Objects.requireNonNull(looks.get(0).row());
    assertThat(pending.payload()).isEqualTo(rows.get(0).payload());
    assertThat(Objects.requireNonNull(looks.get(2).row()).payload()).isNull();
    assertThat(reader.look(refs, 1)).hasSizeLessThan(refs.size()).isNotEmpty();
  }

  @Test
  void whatIsForgottenLeavesNoTrace() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("parked", "held");
    OutboxStore store = store();
    store.settle(
        session,
        settlement(
            List.of(), List.of(failed(rows.get(0), RowState.PARKED, 1)), rows.subList(1, 2)));
    store.settle(session, forgotten(rows.stream().map(OutboxRow::ref).toList()));
    OutboxReader reader = reader();
    assertThat(assignAll(reader)).isEqualTo(Backlog.NONE);
    assertThat(ids(drain(reader))).containsExactly("parked", "held");
  }

  private static Settlement forgotten(List<RowRef> rows) {
    return new Settlement(
        List.of(), List.of(), List.of(), List.of(), List.of(), rows, List.of(), List.of());
  }

  private void insertEach(String... ids) throws SQLException {
    for (String id : ids) {
      insert(WrittenEvent.of(id, "1"));
    }
  }

  EventKey key(String aggregateId) {
    return fixture().key("order", aggregateId);
  }

  List<OutboxRow> written(String... ids) throws SQLException {
    OutboxReader reader = warmReader();
    for (String id : ids) {
      insert(WrittenEvent.of(id, "1"));
    }
    return drain(reader);
  }

  List<OutboxRow> assigned() {
    OutboxReader reader = reader();
    assignAll(reader);
    return drain(reader);
  }

  static FailedRow failed(OutboxRow row, RowState state, int attempts) {
    long delay = state == RowState.RETRY ? 60_000 : 0;
    return new FailedRow(row, state, attempts, true, delay, "nack", "the broker said no");
  }
}

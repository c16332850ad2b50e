package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.LaneStore;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.RefusedChangeException;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every {@link OutboxStore} must do with settlements, seen together with its reader. */
public abstract class OutboxStoreContract extends ChangedRowsContract {
  @Test
  void publishedRowsAreNotReadAgain() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b", "c");
    Settled settled = store().settle(session, Settlement.published(rows.subList(0, 2)));
    assertThat(settled).isEqualTo(new Settled(false, 2));
    assertThat(ids(assigned())).containsExactly("c");
    assertThat(fixture().status("a")).isIn("PUBLISHED", "GONE");
    assertThat(fixture().status("c")).isEqualTo("PENDING");
  }

  @Test
  void settlingDoesNotWaitForOpenTransactions() throws SQLException {
    Session session = owner();
    OutboxStore store = store();
    try (Connection open = fixture().connect()) {
      open.setAutoCommit(false);
      fixture().insert(open, WrittenEvent.of("open-1", "1"));
      List<OutboxRow> rows = written("a", "b", "c", "d");
      fixture().insert(open, WrittenEvent.of("open-2", "1"));
      Settlement mixed =
          settlement(
              rows.subList(0, 1),
              List.of(failed(rows.get(1), RowState.PARKED, 1)),
              rows.subList(2, 3));
      assertThat(store.settle(session, mixed)).isEqualTo(new Settled(false, 3));
      assertThat(store.settle(session, Settlement.published(rows.subList(3, 4))))
          .isEqualTo(new Settled(false, 1));
      fixture().insert(open, WrittenEvent.of("open-3", "1"));
      open.commit();
    }
    assertThat(ids(assigned())).containsExactlyInAnyOrder("open-1", "open-2", "open-3");
  }

  /** From a number of values on, a server may look for them in another way than by key. */
  @Test
  void settlingManyRowsDoesNotWaitForOpenTransactions() throws SQLException {
    int many = 600;
    Session session = owner();
    OutboxReader reader = warmReader();
    try (Connection open = fixture().connect()) {
      open.setAutoCommit(false);
      for (int i = 0; i < many; i++) {
        fixture().insert(open, WrittenEvent.of("many-" + i, "1"));
      }
      open.commit();
      fixture().insert(open, WrittenEvent.of("open", "1"));
      assertThat(store().settle(session, Settlement.published(drain(reader))))
          .isEqualTo(new Settled(false, many));
    }
  }

  @Test
  void settlingTwiceIsSettlingOnce() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b", "c", "d");
    Settlement settlement =
        settlement(
            rows.subList(0, 1),
            List.of(failed(rows.get(1), RowState.RETRY, 3)),
            rows.subList(2, 4));
    OutboxStore store = store();
    assertThat(store.settle(session, settlement)).isEqualTo(new Settled(false, 4));
    assertThat(store.settle(session, settlement).fenced()).isFalse();
    Backlog backlog = assignAll(reader());
    assertThat(backlog.failed()).singleElement().returns(3, FailedRow::attempts);
    assertThat(backlog.held()).containsExactly(new HeldKey(key("1"), rows.get(0).lane(), 2));
    assertThat(assigned()).isEmpty();
  }

  /** The first call of a connection may have left long ago, when the relay knew of less. */
  @Test
  void aConnectionIsLookedAtAgainWithTheCallAfterItsFirst() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b");
    OutboxStore store = store();
    assertThat(store.settle(session, Settlement.published(rows.subList(0, 1))).fenced()).isFalse();
    // The relay was answered renewals that the database does not hold.
    Session later = session.renewed().renewed().renewed();
    assertThatExceptionOfType(SessionLostException.class)
        .isThrownBy(() -> store.settle(later, Settlement.published(rows.subList(1, 2))));
    assertThat(fixture().status("b")).isEqualTo("PENDING");
  }

  @Test
  void aFencedSessionChangesNothing() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b", "c");
    LaneStore lanes = lanes();
    lanes.leave(session);
    OutboxStore store = store();
    assertThat(store.settle(session, Settlement.published(rows))).isEqualTo(new Settled(true, 0));
    Settlement mixed =
        settlement(
            rows.subList(0, 1), List.of(failed(rows.get(1), RowState.DEAD, 1)), rows.subList(2, 3));
    assertThat(store.settle(session, mixed)).isEqualTo(new Settled(true, 0));
    assertThat(ids(assigned())).containsExactly("a", "b", "c");
  }

  @Test
  void failedRowsAreReportedToTheNextOwnerAndNotRead() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("retry", "parked", "dead", "fine");
    List<FailedRow> failed =
        List.of(
            failed(rows.get(0), RowState.RETRY, 1),
            failed(rows.get(1), RowState.PARKED, 2),
            failed(rows.get(2), RowState.DEAD, 5));
    store().settle(session, settlement(List.of(), failed, List.of()));

    OutboxReader reader = reader();
    Backlog backlog = assignAll(reader);

    assertThat(backlog.failed()).extracting(f -> name(f.row())).containsExactly("retry", "parked");
    FailedRow retry = backlog.failed().get(0);
    assertThat(retry.state()).isEqualTo(RowState.RETRY);
    assertThat(retry.delayMillis()).isBetween(30_000L, 60_000L);
    assertThat(retry.unknownOutcome()).isTrue();
    assertThat(retry.reason()).isEqualTo("nack");
    assertThat(retry.detail()).isEqualTo("the broker said no");
    assertThat(retry.row().payload()).isNotNull();
    FailedRow parked = backlog.failed().get(1);
    assertThat(parked.delayMillis()).isZero();
    assertThat(parked.row().payload()).as("there may be any number of them").isNull();
    assertThat(ids(drain(reader))).containsExactly("fine");
    assertThat(fixture().status("retry")).isEqualTo("PENDING");
    assertThat(fixture().status("parked")).isEqualTo("PARKED");
    assertThat(fixture().status("dead")).isEqualTo("DEAD");
  }

  @Test
  void aNoteChangesNoRowsStandingAndUndoesNoMark() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b", "c");
    OutboxStore store = store();
    assertThat(store.settle(session, noted(rows.get(0))).fenced()).isFalse();
    assertThat(fixture().status("a")).isEqualTo("PENDING");
    OutboxReader reader = reader();
    assertThat(assignAll(reader)).isEqualTo(Backlog.NONE);
    assertThat(ids(drain(reader))).containsExactly("a", "b", "c");

    store.settle(
        session,
        settlement(
            rows.subList(0, 1),
            List.of(failed(rows.get(1), RowState.PARKED, 1), failed(rows.get(2), RowState.DEAD, 1)),
            List.of()));
    String published = fixture().status("a");
    store.settle(session, noted(rows.get(0)));

    assertThat(fixture().status("a")).isEqualTo(published).isIn("PUBLISHED", "GONE");
    assertThat(fixture().status("b")).isEqualTo("PARKED");
    assertThat(fixture().status("c")).isEqualTo("DEAD");
  }

  private static Settlement noted(OutboxRow row) {
    FailedRow noted =
        new FailedRow(row.sends(2), RowState.RETRY, 0, true, 3_600_000, "timeout", "no answer");
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

  @Test
  void recoveredRowsLeaveNoTrace() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("head", "behind");
    OutboxStore store = store();
    store.settle(
        session,
        settlement(List.of(), List.of(failed(rows.get(0), RowState.RETRY, 1)), rows.subList(1, 2)));
    Settled settled =
        store.settle(session, new Settlement(List.of(), rows, List.of(), List.of(), List.of()));
    assertThat(settled).isEqualTo(new Settled(false, 2));
    assertThat(assignAll(reader())).isEqualTo(Backlog.NONE);
    assertThat(assigned()).isEmpty();
  }

  @Test
  void aFailedRowThatIsHeldHasNoFailureOnRecord() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a");
    OutboxStore store = store();
    List<FailedRow> failed = List.of(failed(rows.get(0), RowState.RETRY, 1));
    store.settle(session, settlement(List.of(), failed, List.of()));
    store.settle(session, settlement(List.of(), List.of(), rows));
    Backlog backlog = assignAll(reader());
    assertThat(backlog.failed()).isEmpty();
    assertThat(backlog.held()).hasSize(1);
  }

  @Test
  void heldRowsAreReadByKeyInOrderUntilTheyAreSettled() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b", "c");
    OutboxStore store = store();
    store.settle(session, settlement(List.of(), List.of(), rows));
    OutboxReader reader = reader();
    assertThat(assignAll(reader).held())
        .containsExactly(new HeldKey(key("1"), rows.get(0).lane(), 3));
    assertThat(drain(reader)).isEmpty();

    assertThat(ids(reader.readHeld(List.of(key("1")), 2, BYTES).rows())).containsExactly("a", "b");
    assertThat(ids(reader.readHeld(List.of(key("1")), 9, 1).rows())).containsExactly("a");
    assertThat(reader.readHeld(List.of(key("2")), 9, BYTES).rows()).isEmpty();
    store.settle(
        session,
        new Settlement(
            List.of(),
            rows.subList(0, 1),
            List.of(failed(rows.get(1), RowState.PARKED, 1)),
            List.of(),
            List.of()));
    assertThat(ids(reader.readHeld(List.of(key("1")), 9, BYTES).rows())).containsExactly("c");
  }

  @Test
  void aFencedReaderFindsNoHeldRows() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("a", "b");
    store().settle(session, settlement(List.of(), List.of(), rows));
    OutboxReader reader = reader();
    reader.assign(session, allLanes());
    assertThat(ids(reader.readHeld(List.of(key("1")), 9, BYTES).rows())).containsExactly("a", "b");

    lanes().leave(session);

    assertThat(reader.readHeld(List.of(key("1")), 9, BYTES).rows()).isEmpty();
  }

  @Test
  void requestsComeUntilTheyAreHandled() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("parked", "pending");
    OutboxStore store = store();
    store.settle(session, failures(failed(rows.get(0), RowState.PARKED, 1)));
    OutboxReader reader = reader();
    assignAll(reader);
    fixture().request("RETRY", "parked");
    fixture().request("PARK", "pending");

    List<OperatorRequest> requests = reader.requests(10);

    assertThat(requests).hasSize(2);
    assertThat(reader.requests(10))
        .extracting(OperatorRequest::rowId)
        .containsExactly(requests.get(0).rowId(), requests.get(1).rowId());
    assertThat(requests.get(0).verb()).isEqualTo(OperatorRequest.Verb.RETRY);
    assertThat(requests.get(0).state()).isEqualTo(OperatorRequest.EventState.PARKED);
    assertThat(requests.get(0).row()).isNotNull().returns("parked", this::name);
    assertThat(requests.get(1).state()).isEqualTo(OperatorRequest.EventState.PENDING);
    HandledRequest handled = requests.get(0).answer(true, "tried again");
    store.settle(
        session, new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(handled)));
    assertThat(reader.requests(10))
        .singleElement()
        .returns(requests.get(1).requestId(), OperatorRequest::requestId);
    reader.revoke(allLanes());
    assertThat(reader.requests(10)).isEmpty();
  }

  @Test
  void aRowThatIsLockedIsNamedAsSuch() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("locked", "fine");
    OutboxStore store = store();
    try (Connection holder = fixture().connect()) {
      holder.setAutoCommit(false);
      fixture().lock(holder, "locked");

      assertThatExceptionOfType(RefusedChangeException.class)
          .isThrownBy(() -> store.settle(session, Settlement.published(rows)))
          .returns(true, RefusedChangeException::isLocked);

      assertThat(store.settle(session, Settlement.published(rows.subList(1, 2))))
          .isEqualTo(new Settled(false, 1));
      holder.rollback();
    }
    assertThat(store.settle(session, Settlement.published(rows)).fenced()).isFalse();
    assertThat(assigned()).isEmpty();
  }

  @Test
  void requestsThatWaitHideNoLaterOnes() throws SQLException {
    OutboxReader reader = warmReader();
    for (int i = 0; i < 5; i++) {
      insert(WrittenEvent.of("waiting-" + i, "1"));
      fixture().request("PARK", "waiting-" + i);
    }
    Set<Long> seen = new HashSet<>();
    for (int look = 0; look < 3; look++) {
      reader.requests(2).forEach(request -> seen.add(request.requestId()));
    }
    assertThat(seen).hasSize(5);
    assertThat(reader.requests(9)).hasSize(5);
  }

  @Test
  void requestsAreReadUpToSomeBytes() throws SQLException {
    needs(Ability.LARGE_PAYLOADS);
    OutboxReader reader = warmReader();
    byte[] large = new byte[1 << 20];
    Arrays.fill(large, (byte) 'x');
    large[0] = '"';
    large[large.length - 1] = '"';
    for (int i = 0; i < 20; i++) {
      insert(WrittenEvent.of("large-" + i, "1").payload(large));
      fixture().request("PARK", "large-" + i);
    }
    assertThat(reader.requests(100)).hasSizeBetween(1, 19);
  }
}

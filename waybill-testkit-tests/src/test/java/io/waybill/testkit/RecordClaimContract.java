package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.proof.proxy.LostReplies;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims of a relay in the record of processed events: taken over, left alone, read again. */
abstract class RecordClaimContract extends StoreContract {
  @Override
  protected abstract LayoutFixture fixture();

  List<String> read(Session session, TimeRange range) {
    try (OutboxReader reader = outbox(fixture().connections(), range).reader()) {
      reader.assign(session, allLanes());
      return ids(drain(reader));
    }
  }

  TableOutbox outbox(ConnectionFactory connections, TimeRange range) {
    return TableOutbox.of(
        connections,
        fixture().layout(),
        fixture().kind(),
        TableOptions.defaults(fixture().layout()).timeRange(range));
  }

  List<OutboxRow> read(Session session) {
    OutboxReader reader = reader();
    reader.assign(session, allLanes());
    return drain(reader);
  }

  static Settlement failed(OutboxRow row, RowState state) {
    long delay = state == RowState.RETRY ? 60_000 : 0;
    FailedRow failed = new FailedRow(row, state, 1, false, delay, "nack", "no");
    return new Settlement(List.of(), List.of(), List.of(failed), List.of(), List.of());
  }

  /** What somebody else has written about an event. */
  void foreign(String name, String status) throws SQLException {
    fixture()
        .run(
            """
            delete from processed_event
            where event_id = (select event_id from event_outbox where event_type = '%s')"""
                .formatted(name));
    fixture()
        .run(
            """
            insert into processed_event (event_id, status)
            select event_id, '%s' from event_outbox where event_type = '%s'"""
                .formatted(status, name));
  }

  void age(String name, String time) throws SQLException {
    fixture()
        .run(
            "update event_outbox set created_at = '%s' where event_type = '%s'"
                .formatted(time, name));
  }

  @Nullable String status(OutboxRow row) throws SQLException {
    return record("status", row);
  }

  @Nullable String record(String expression, OutboxRow row) throws SQLException {
    return fixture()
        .value(
            "select %s from processed_event where event_id = '%s'"
                .formatted(expression, row.eventId()));
  }

  @Nullable String published(String name) throws SQLException {
    return fixture()
        .value("select published_at from event_outbox where event_type = '%s'".formatted(name));
  }

  @Test
  void theClaimOfASessionThatIsGoneIsTakenOverWithTheNextFence() throws SQLException {
    Session dead = owner();
    insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "1"));
    List<OutboxRow> rows = read(dead);
    store().settle(dead, failed(rows.get(0), RowState.RETRY));
    lanes().leave(dead);

    Session next = owner();
    OutboxReader reader = reader();
    Backlog backlog = reader.assign(next, allLanes());

    assertThat(backlog.failed()).singleElement().returns("a", failed -> name(failed.row()));
    assertThat(ids(drain(reader))).containsExactly("b");
    for (OutboxRow row : rows) {
      assertThat(status(row)).isEqualTo("PROCESSING");
    }
  }

  @Test
  void theClaimOfALivingOwnerIsLeftAlone() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"));
    assertThat(ids(read(owner))).containsExactly("a");

    Session next = living();
    OutboxReader other = reader();
    other.assign(next, allLanes());
    assertThat(drain(other)).as("its lane is not the reader's").isEmpty();

    lanes().release(owner, allLanes());
    lanes().acquire(next, allLanes());
    assertThat(ids(drain(other))).containsExactly("a");
  }

  @Test
  void aClaimThatNobodyMadeHoldsNothingBack() throws SQLException {
    // What the documented relay leaves behind when it dies between its insert and its publish.
    insert(WrittenEvent.of("a", "1"));
    foreign("a", "PROCESSING");
    Session owner = owner();

    List<OutboxRow> rows = read(owner);

    assertThat(ids(rows)).containsExactly("a");
    assertThat(status(rows.get(0))).isEqualTo("PROCESSING");
  }

  @Test
  void aFailureInTheWayHoldsNothingBack() throws SQLException {
    insert(WrittenEvent.of("a", "1"));
    foreign("a", "FAILED");

    List<OutboxRow> rows = read(owner());

    assertThat(ids(rows)).containsExactly("a");
    assertThat(status(rows.get(0))).isEqualTo("PROCESSING");
  }

  @Test
  void aClaimWhoseReplyIsLostIsReadAgain() throws SQLException {
    LostReplies replies = new LostReplies(fixture().connections());
    try (OutboxReader reader = outbox(replies, TimeRange.ALL).reader()) {
      reader.assign(owner(), allLanes());
      insert(WrittenEvent.of("a", "1"));
      replies.loseNext();
      assertThatThrownBy(() -> reader.read(ROWS, BYTES)).isInstanceOf(StoreException.class);
      assertThat(replies.lost()).isTrue();
      assertThat(fixture().value("select status from processed_event")).isEqualTo("PROCESSING");

      assertThat(ids(drain(reader))).containsExactly("a");
    }
  }

  @Test
  void claimsSurviveACrashOfTheDatabaseWithTheirRows() throws SQLException {
    insert(WrittenEvent.of("a", "1"));
    Session owner = owner();
    OutboxRow row = read(owner).get(0);
    fixture().crash();

    assertThat(status(row)).isEqualTo("PROCESSING");
    assertThat(ids(read(living()))).as("its owner still lives").isEmpty();
    lanes().leave(owner);
    assertThat(ids(read(owner()))).containsExactly("a");
  }
}

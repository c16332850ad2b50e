package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.Retention;
import io.waybill.database.TimeRange;
import io.waybill.proof.proxy.LostReplies;
import io.waybill.store.Backlog;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the table {@code processed_event} says, and that it is a record and never a proof: no event
 * is lost by what stands there, unless it says that the broker has it.
 */
abstract class RecordContract extends RecordClaimContract {
  @Test
  void processingIsWrittenBeforeTheRowIsReturned() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "2"));
    List<OutboxRow> rows = read(owner);

    assertThat(ids(rows)).containsExactly("a", "b");
    for (OutboxRow row : rows) {
      assertThat(status(row)).isEqualTo("PROCESSING");
      assertThat(record("created_at = updated_at", row)).isIn("t", "1");
    }
    assertThat(fixture().status("a")).isEqualTo("PENDING");
  }

  @Test
  void successIsWrittenWithTheSettlement() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "2"));
    List<OutboxRow> rows = read(owner);
    store().settle(owner, Settlement.published(rows.subList(0, 1)));

    assertThat(status(rows.get(0))).isEqualTo("SUCCESS");
    assertThat(record("created_at < updated_at", rows.get(0))).isIn("t", "1");
    assertThat(fixture().status("a")).isEqualTo("PUBLISHED");
    assertThat(status(rows.get(1))).isEqualTo("PROCESSING");
  }

  @Test
  void aFencedSettlementRecordsNothing() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"));
    OutboxRow row = read(owner).get(0);
    lanes().leave(owner);

    assertThat(store().settle(owner, Settlement.published(List.of(row))).fenced()).isTrue();
    assertThat(status(row)).isEqualTo("PROCESSING");
  }

  @Test
  void failedIsWrittenWhenTheEventIsDeadAndTakenBackWhenItIsTriedAgain() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"));
    OutboxRow row = read(owner).get(0);
    OutboxStore store = store();
    for (RowState state : List.of(RowState.RETRY, RowState.PARKED)) {
      store.settle(owner, failed(row, state));
      assertThat(status(row)).isEqualTo("PROCESSING");
    }
    store.settle(owner, failed(row, RowState.DEAD));
    assertThat(status(row)).isEqualTo("FAILED");

    fixture().request("RETRY", "a");
    OutboxReader reader = reader();
    reader.assign(owner, allLanes());
    assertThat(reader.requests(10)).hasSize(1);
    assertThat(status(row)).isEqualTo("PROCESSING");

    store.settle(owner, new Settlement(List.of(), List.of(row), List.of(), List.of(), List.of()));
    assertThat(status(row)).isEqualTo("SUCCESS");
  }

  @Test
  void aSuccessInTheWayMeansMarkedWithoutSending() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "1"), WrittenEvent.of("c", "1"));
    foreign("b", "SUCCESS");

    assertThat(ids(read(owner))).containsExactly("a", "c");
    assertThat(fixture().status("b")).isEqualTo("PUBLISHED");
    assertThat(published("b")).isNotNull();
    assertThat(read(owner)).as("nothing is left to be read again").hasSize(2);
  }

  @Test
  void aSuccessInTheWayOfHeldAndFailedRowsToo() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("failed", "1"), WrittenEvent.of("held", "1"));
    List<OutboxRow> rows = read(owner);
    OutboxStore store = store();
    store.settle(owner, failed(rows.get(0), RowState.RETRY));
    store.settle(
        owner, new Settlement(List.of(), List.of(), List.of(), rows.subList(1, 2), List.of()));
    foreign("failed", "SUCCESS");
    foreign("held", "SUCCESS");

    OutboxReader reader = reader();
    Backlog backlog = reader.assign(owner, allLanes());
    assertThat(backlog.failed()).isEmpty();
    assertThat(reader.readHeld(List.of(fixture().key("order", "1")), 10, BYTES).rows()).isEmpty();
    assertThat(fixture().status("failed")).isEqualTo("PUBLISHED");
    assertThat(fixture().status("held")).isEqualTo("PUBLISHED");
    assertThat(reader().assign(owner, allLanes())).isEqualTo(Backlog.NONE);
  }

  @Test
  void retentionRemovesTheRecordOfARowThatItRemoves() throws SQLException {
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "2"));
    List<OutboxRow> rows = read(owner);
    store().settle(owner, Settlement.published(rows.subList(0, 1)));

    try (Retention retention = fixture().tables().retention()) {
      assertThat(retention.purge(Duration.ZERO, 100).removed()).isOne();
    }
    assertThat(fixture().value("select event_id from processed_event"))
        .isEqualTo(rows.get(1).eventId());
  }

  @Test
  void aSettlementWhoseReplyIsLostCanBeRepeated() throws SQLException {
    LostReplies replies = new LostReplies(fixture().connections());
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"));
    List<OutboxRow> rows = read(owner);
    try (OutboxStore store = outbox(replies, TimeRange.ALL).store()) {
      replies.loseNext();
      assertThatThrownBy(() -> store.settle(owner, Settlement.published(rows)))
          .isInstanceOf(StoreException.class);
      assertThat(store.settle(owner, Settlement.published(rows)).fenced()).isFalse();
    }
    assertThat(status(rows.get(0))).isEqualTo("SUCCESS");
  }

  @Test
  void aRowWhoseRecordCannotBeToldApartIsNotTakenForPublished() throws SQLException {
    if (!fixture().ignoreCaseOfRecords()) {
      return;
    }
    Session owner = owner();
    insert(WrittenEvent.of("a", "1"));
    fixture()
        .run(
            "insert into processed_event (event_id, status)"
                + " select upper(event_id), 'SUCCESS' from event_outbox");
    List<OutboxRow> rows = read(owner);
    assertThat(ids(rows)).containsExactly("a");

    fixture().run("update processed_event set status = 'PROCESSING'");
    store().settle(owner, Settlement.published(rows));
    assertThat(fixture().value("select status from processed_event")).isEqualTo("PROCESSING");
    assertThat(fixture().status("a")).isEqualTo("PUBLISHED");
  }

  @Test
  void onlyRowsOfTheTimeRangeAreRead() throws SQLException {
    insert(WrittenEvent.of("old", "1"), WrittenEvent.of("young", "2"), WrittenEvent.of("now", "3"));
    age("old", "2026-01-01 10:00:00");
    age("young", "2026-01-01 11:00:00");
    Instant ten = Instant.parse("2026-01-01T10:00:00Z");
    Instant eleven = Instant.parse("2026-01-01T11:00:00Z");
    Session owner = owner();

    assertThat(read(owner, new TimeRange(ten, eleven))).containsExactly("old");
    assertThat(read(owner, new TimeRange(eleven, eleven.plusNanos(1000)))).containsExactly("young");
    assertThat(read(owner, new TimeRange(null, eleven))).containsExactly("old");
    assertThat(read(owner, new TimeRange(eleven, null))).containsExactly("young", "now");
    assertThat(read(owner, TimeRange.ALL)).containsExactly("old", "young", "now");
    assertThatThrownBy(() -> new TimeRange(eleven, ten))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2026-01-01T11:00:00Z");
  }
}

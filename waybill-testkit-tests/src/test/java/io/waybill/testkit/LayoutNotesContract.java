package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the columns of the documented tables say of events that wait without a record. */
abstract class LayoutNotesContract {
  private final TestDatabase database = database();

  abstract TestDatabase database();

  @Test
  void eventOutboxShowsSendsWithoutAnAnswerAndTheNextAndKeepsTheState() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.note(row, 2, Duration.ofSeconds(90));
      table.note(row, 2, Duration.ofSeconds(90));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 2 next");
      assertThat(nextMicros(table) - row.readAtMicros()).isBetween(80_000_000L, 150_000_000L);
      assertThat(table.fixture.status("a")).isEqualTo("PENDING");
      table.note(row, 1, Duration.ZERO);
      assertThat(table.column("attempts")).as("never fewer").isEqualTo("2");
      table.publish(row.sends(3));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("sent 4 processed");
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX))
          .as("a late note")
          .isEqualTo("sent 4 processed");
    }
  }

  private long nextMicros(LayoutTable table) throws SQLException {
    return Long.parseLong(
        String.valueOf(table.column(database.dialect().micros("next_attempt_at"))));
  }

  @Test
  void aRowThatWasNeverSentIsDueAndNotDelayed() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.note(row, 0, Duration.ofSeconds(90));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 0 next");
      assertThat(nextMicros(table) - row.readAtMicros())
          .as("past for a clock that steps back, and for a column that rounds")
          .isLessThan(-5_000_000L);
      assertThat(table.readByTheNextOwner()).extracting(OutboxRow::sends).containsExactly(0);
    }
  }

  @Test
  void theNextOwnerReadsARowBeforeItsNextAttemptAndCountsOn() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.note(row, 3, Duration.ofHours(1));
      // Else a later event of its key would go before it.
      table.insert(WrittenEvent.of("b", "1"));
      List<OutboxRow> rows = table.readByTheNextOwner();
      assertThat(rows).extracting(OutboxRow::eventType).containsExactly("a", "b");
      assertThat(rows).extracting(OutboxRow::sends).containsExactly(3, 0);
    }
  }

  @Test
  void aHeldRowKeepsItsSendsAndIsNotedWithThat() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.hold(row.sends(2));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 2");
      table.note(row, 2, Duration.ofSeconds(5));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 2 next");
    }
  }

  @Test
  void aRowThatWasGivenUpOrIsAnotherIsNotNoted() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.DEAD, 1);
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("failed 1");
    }
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fixture.run(
          "update event_outbox set created_at = " + inAMinute() + " where id = " + row.rowId());
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 0");
    }
  }

  private String inAMinute() {
    return database.dialect().later("created_at", "60000000");
  }

  @Test
  void aFencedSessionNotesNothing() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fixture.lanes().leave(table.session);
      assertThat(table.isNoted(table.session, row)).isFalse();
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 0");
    }
  }

  @Test
  void polyshopShowsWhyAnEventWaitsUntilItIsProcessed() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.POLYSHOP)) {
      OutboxRow row = table.written();
      table.note(row, 2, Duration.ofSeconds(5));
      assertThat(table.column("error_message")).isEqualTo("timeout: since noon");
      assertThat(table.column("processed")).isIn("f", "0");
      assertThat(table.readByTheNextOwner()).hasSize(1);
    }
    try (LayoutTable table = new LayoutTable(database, SampleTable.POLYSHOP)) {
      OutboxRow row = table.written();
      table.note(row, 2, Duration.ofSeconds(5));
      table.publish(row);
      table.note(row, 2, Duration.ofSeconds(5));
      assertThat(table.column("error_message")).isNull();
    }
  }

  @Test
  void tablesWithoutSuchColumnsAreNotTouched() throws Exception {
    for (SampleTable sample : List.of(SampleTable.NOTIFICATION, SampleTable.WALLET)) {
      try (LayoutTable table = new LayoutTable(database, sample)) {
        OutboxRow row = table.written();
        table.fixture.lanes().leave(table.session);
        assertThat(table.isNoted(table.session, row)).as("no statement was run").isTrue();
      }
    }
  }
}

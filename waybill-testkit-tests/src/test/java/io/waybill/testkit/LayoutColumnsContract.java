package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.internal.store.HeaderJson;
import io.waybill.internal.store.HeaderJson.Parsed;
import io.waybill.jdbc.TableSchema;
import io.waybill.message.Header;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the columns of the documented tables say after settlements. */
abstract class LayoutColumnsContract {
  private static final String EVENT_OUTBOX =
      """
      concat(status, ' ', attempts,
        case when next_attempt_at is null then '' else ' next' end,
        case when processed_at is null then '' else ' processed' end)""";

  private final TestDatabase database = database();

  abstract TestDatabase database();

  /** Writes one event, reads it and settles it. */
  private final class Table extends StoreContract implements AutoCloseable {
    private final LayoutFixture fixture;
    private final Session session;
    private final OutboxStore store;

    Table(SampleTable sample) throws SQLException {
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
      store.settle(
          session, new Settlement(List.of(), List.of(row), List.of(), List.of(), List.of()));
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
      store.settle(
          session, new Settlement(List.of(), List.of(), List.of(), List.of(row), List.of()));
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

  @Test
  void eventOutboxCountsAttemptsAndShowsTheNext() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      assertThat(headers(row)).containsExactly(new Header("producer-node", "node-1"));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 0");
      table.fail(row, RowState.RETRY, 1);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 1 next");
      table.fail(row, RowState.PARKED, 2);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 2");
      table.fail(row, RowState.DEAD, 3);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("failed 3");
      table.hold(row);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 3");
      table.recover(row.sends(3));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("sent 4 processed");
      table.recover(row.sends(3));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("sent 4 processed");
    }
  }

  @Test
  void whatOperatorsAskForAndWhatIsSettledTwiceAreNoAttempts() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.PARKED, 0);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 0");
      table.fail(row, RowState.DEAD, 4);
      table.fail(row, RowState.DEAD, 4);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("failed 4");
      table.fail(row, RowState.RETRY, 0);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 4 next");
      table.fail(row, RowState.RETRY, 5);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 5 next");
    }
  }

  @Test
  void eventOutboxShowsSendsWithoutAnAnswerAndTheNextAndKeepsTheState() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.note(row, 2, Duration.ofSeconds(90));
      table.note(row, 2, Duration.ofSeconds(90));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 2 next");
      assertThat(nextMicros(table) - row.readAtMicros())
          .isBetween(80_000_000L, 150_000_000L);
      assertThat(table.fixture.status("a")).isEqualTo("PENDING");
      table.note(row, 1, Duration.ZERO);
      assertThat(table.column("attempts")).as("never fewer").isEqualTo("2");
      table.publish(row.sends(3));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("sent 4 processed");
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(EVENT_OUTBOX)).as("a late note").isEqualTo("sent 4 processed");
    }
  }

  private long nextMicros(Table table) throws SQLException {
    return Long.parseLong(
        String.valueOf(table.column(database.dialect().micros("next_attempt_at"))));
  }

  @Test
  void aRowThatWasNeverSentIsDueAndNotDelayed() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.note(row, 0, Duration.ofSeconds(90));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 0 next");
      assertThat(nextMicros(table) - row.readAtMicros()).isLessThan(60_000_000L);
      assertThat(table.readByTheNextOwner()).extracting(OutboxRow::sends).containsExactly(0);
    }
  }

  @Test
  void theNextOwnerReadsARowBeforeItsNextAttemptAndCountsOn() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
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
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.hold(row.sends(2));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 2");
      table.note(row, 2, Duration.ofSeconds(5));
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 2 next");
    }
  }

  @Test
  void aRowThatWasGivenUpOrIsAnotherIsNotNoted() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.DEAD, 1);
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("failed 1");
    }
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fixture.run(
          "update event_outbox set created_at = " + inAMinute() + " where id = " + row.rowId());
      table.note(row, 7, Duration.ZERO);
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 0");
    }
  }

  private String inAMinute() {
    return database.dialect().later("created_at", "60000000");
  }

  @Test
  void aFencedSessionNotesNothing() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fixture.lanes().leave(table.session);
      assertThat(table.isNoted(table.session, row)).isFalse();
      assertThat(table.column(EVENT_OUTBOX)).isEqualTo("pending 0");
    }
  }

  @Test
  void polyshopShowsWhyAnEventWaitsUntilItIsProcessed() throws Exception {
    try (Table table = new Table(SampleTable.POLYSHOP)) {
      OutboxRow row = table.written();
      table.note(row, 2, Duration.ofSeconds(5));
      assertThat(table.column("error_message")).isEqualTo("timeout: since noon");
      assertThat(table.column("processed")).isIn("f", "0");
      assertThat(table.readByTheNextOwner()).hasSize(1);
    }
    try (Table table = new Table(SampleTable.POLYSHOP)) {
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
      try (Table table = new Table(sample)) {
        OutboxRow row = table.written();
        table.fixture.lanes().leave(table.session);
        assertThat(table.isNoted(table.session, row)).as("no statement was run").isTrue();
      }
    }
  }

  private static List<Header> headers(OutboxRow row) {
    return ((Parsed.Valid) HeaderJson.read(row.headersJson())).headers().list();
  }

  @Test
  void notificationsAreProcessedOrFailed() throws Exception {
    try (Table table = new Table(SampleTable.NOTIFICATION)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.DEAD);
      assertThat(table.column("status")).isEqualTo("FAILED");
      assertThat(table.column("published_at")).isNull();
      table.fail(row, RowState.RETRY);
      assertThat(table.column("status")).isEqualTo("PENDING");
      table.recover(row);
      assertThat(table.column("status")).isEqualTo("PROCESSED");
      assertThat(table.column("published_at")).isNotNull();
    }
  }

  @Test
  void walletEventsAreSentAndHaveAStableId() throws Exception {
    try (Table table = new Table(SampleTable.WALLET)) {
      OutboxRow row = table.written();
      assertThat(row.eventId()).isEqualTo("outbox:" + row.rowId());
      assertThat(row.correlationId()).isEqualTo("1");
      table.fail(row, RowState.DEAD);
      assertThat(table.column("sent")).isIn("f", "0");
      table.recover(row);
      assertThat(table.column("sent")).isIn("t", "1");
    }
  }

  @Test
  void polyshopShowsTheLastErrorUntilTheEventIsProcessed() throws Exception {
    try (Table table = new Table(SampleTable.POLYSHOP)) {
      OutboxRow row = table.written();
      assertThat(row.eventId()).isEqualTo(row.rowId().toString());
      table.fail(row, RowState.RETRY);
      assertThat(table.column("error_message")).isEqualTo("nack: no");
      table.recover(row);
      assertThat(table.column("error_message")).isNull();
      assertThat(table.column("processed")).isIn("t", "1");
      assertThat(table.column("processed_at")).isNotNull();
    }
  }

  @Test
  void thePublishedTimeIsUtcWhateverTheServersTimeZone() throws Exception {
    try (Table table = new Table(SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.publish(row);
      String micros = database.dialect().micros("processed_at");
      assertThat(Long.parseLong(String.valueOf(table.column(micros))))
          .isBetween(row.readAtMicros() - 1_000_000, row.readAtMicros() + 60_000_000);
    }
  }

  @Test
  void makingTheTablesAgainChangesNothing() throws Exception {
    try (Table table = new Table(SampleTable.WALLET);
        Connection connection = database.connect()) {
      OutboxRow row = table.written();
      table.fail(row, RowState.PARKED);
      SideNames names = SideNames.of(table.fixture.layout());
      TableSchema.of(table.fixture.layout(), database.kind(), names, 64).apply(connection);
      assertThat(table.fixture.status("a")).isEqualTo("PARKED");
    }
  }
}

package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.OnPublished;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostgresOutboxReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void aRowThatNeverBecomesDueHoldsUpNobody() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      FIXTURE.insert(connection, WrittenEvent.of("never", "1"));
      statement.execute("update waybill_outbox set available_at = 'infinity'");
      FIXTURE.insert(connection, WrittenEvent.of("soon", "1").delay(Duration.ofSeconds(1)));
      connection.commit();
    }
    List<OutboxRow> rows = new ArrayList<>();
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> rows.addAll(reader.read(ROWS, BYTES).rows()));
    assertThat(ids(rows)).containsExactly("soon");

    for (int i = 0; i < 20; i++) {
      assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
    }
    insert(WrittenEvent.of("now", "1"));
    assertThat(ids(reader.read(ROWS, BYTES).rows())).containsExactly("now");
  }

  /** It is in no list of running transactions, since none that began later has ended. */
  @Test
  void aLargeTransactionThatNobodyOvertookIsReadWhole() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection large = FIXTURE.connect();
        Connection other = FIXTURE.connect()) {
      large.setAutoCommit(false);
      write(large, "first", 5);
      // What is not flushed moves no reader.
      flush(other);
      for (int look = 0; look < 3; look++) {
        assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
      }
      write(large, "more", 40);
      large.commit();
    }
    List<OutboxRow> rows = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(10, BYTES);
      rows.addAll(result.rows());
    } while (result.more() || !result.rows().isEmpty());
    assertThat(ids(rows)).hasSize(45).doesNotHaveDuplicates().startsWith("first0");
  }

  /** Whoever may insert can write it: it stops no relay, and takes none of its memory. */
  @Tag("long")
  @Test
  void aRowOf200MegabytesIsNotReadIntoMemory() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('huge', 't', 'order', '1', convert_to(repeat('x', 200 * 1048576), 'UTF8'))""");
    }
    insert(WrittenEvent.of("next", "1"));

    List<OutboxRow> rows = drain(reader);

    assertThat(ids(rows)).containsExactly("huge", "next");
    assertThat(rows.get(0).payload()).isNull();
    assertThat(rows.get(0).whole()).isFalse();
    assertThat(rows.get(0).storedBytes()).isBetween(200L << 20, 201L << 20);
  }

  @Test
  void aTextWithoutEndIsReadAsFarAsItShowsThat() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, headers)
          values ('type', repeat('t', 9000), 'order', '1', null),
            ('headers', 't', 'order', '1', ('{"h": "' || repeat('h', 17 * 1048576) || '"}')::json),
            ('umlaut', repeat('\u00fc', 8000), 'order', '1', null)""");
    }

    List<OutboxRow> rows = drain(reader);

    assertThat(rows).extracting(OutboxRow::whole).containsExactly(false, false, true);
    assertThat(rows.get(0).eventType()).hasSize(8193);
    assertThat(rows.get(1).headersJson()).isNull();
  }

  /** No statement and no answer grows with the number of blocked keys. */
  @Test
  void whatIsBlockedComesInPagesAndBeforeAnyOtherRowOfItsLanes() throws SQLException {
    int blocked = 25_000;
    fill(blocked, "'{}'");
    insert(WrittenEvent.of("healthy", "h"));
    block("PARKED", "o.id % 2 = 0");
    hold("o.id % 2 = 1 and o.event_id <> 'healthy'");
    FIXTURE.request("PARK", "healthy");
    OutboxReader reader = reader();

    Backlog page = assignAll(reader);
    assertThat(page.failed()).hasSizeBetween(4_000, 10_000);
    assertThat(page.held()).isEmpty();
    assertThat(reader.requests(10)).as("requests for lanes that are not known yet").isEmpty();

    int failed = page.failed().size();
    long held = 0;
    int pages = 1;
    List<OutboxRow> rows = List.of();
    while (rows.isEmpty()) {
      ReadResult result = reader.read(ROWS, BYTES);
      rows = result.rows();
      failed += result.backlog().failed().size();
      held += result.backlog().held().stream().mapToLong(HeldKey::rows).sum();
      pages++;
      assertThat(result.backlog().failed()).hasSizeLessThanOrEqualTo(10_000);
      assertThat(result.backlog().held()).hasSizeLessThanOrEqualTo(10_000);
    }
    assertThat(ids(rows)).containsExactly("healthy");
    assertThat(failed + held).isEqualTo(blocked);
    assertThat(pages).isBetween(4, 10);
    assertThat(reader.requests(10)).hasSize(1);
  }

  @Test
  void payloadsOfRowsThatAreTriedAgainAreBoundAtATakeOver() throws SQLException {
    fill(40, "convert_to(repeat('x', 1048576), 'UTF8')");
    block("RETRY", "true");
    OutboxReader reader = reader();

    assertThat(assignAll(reader).failed()).hasSizeBetween(15, 17);
    assertThat(reader.read(ROWS, 4 << 20).backlog().failed()).hasSizeBetween(3, 5);
    List<FailedRow> rest = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(ROWS, BYTES);
      rest.addAll(result.backlog().failed());
    } while (result.more());
    assertThat(rest).hasSizeBetween(18, 22);
  }

  private static void fill(int events, String payload) throws SQLException {
    run(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'b' || n, 't', 'order', 'k' || n, %s from generate_series(1, %d) n"""
            .formatted(payload, events));
  }

  private static void block(String state, String which) throws SQLException {
    run(
        """
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id,
          state, attempts, unknown_outcome, next_attempt_at, last_reason, last_detail)
        select o.id, (extract(epoch from o.created_at) * 1000000)::bigint, o.lane,
          o.aggregate_type, o.aggregate_id, '%s', 1, false, %s, 'nack', 'no'
        from waybill_outbox o where %s"""
            .formatted(state, state.equals("RETRY") ? "now()" : "null", which));
  }

  private static void hold(String which) throws SQLException {
    run(
        """
        insert into waybill_held (row_id, row_created, lane, aggregate_type, aggregate_id)
        select o.id, (extract(epoch from o.created_at) * 1000000)::bigint, o.lane, o.aggregate_type, o.aggregate_id
        from waybill_outbox o where %s"""
            .formatted(which));
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void write(Connection connection, String prefix, int events) throws SQLException {
    for (int i = 0; i < events; i++) {
      FIXTURE.insert(connection, WrittenEvent.of(prefix + i, "k" + i));
    }
  }

  private static void flush(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("checkpoint");
    }
  }
}

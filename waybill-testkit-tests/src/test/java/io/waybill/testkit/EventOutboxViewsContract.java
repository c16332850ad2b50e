package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the six documented views, and that of what events wait for, show of rows that are known. */
abstract class EventOutboxViewsContract {
  private static final String SCHEMA = "views_of_event_outbox";
  private static final List<String> VIEWS =
      List.of(
          "vw_event_outbox",
          "vw_event_outbox_due",
          "vw_event_outbox_waiting",
          "vw_event_outbox_latency",
          "vw_event_outbox_metrics",
          "vw_event_throughput_hourly",
          "vw_sync_backlog_by_node");
  // Id, type, status, attempts, next attempt, created, processed, node.
  private static final List<String> ROWS =
      List.of(
          "1, 'a', 'sent', 1, null, '2026-01-01 10:00:00', '2026-01-01 10:00:01', 'n1'",
          "2, 'a', 'sent', 3, null, '2026-01-01 10:59:59', '2026-01-01 11:00:02', 'n2'",
          "3, 'b', 'sent', 1, null, '2026-01-01 11:00:00', '2026-01-01 11:00:00.5', 'n1'",
          "4, 'a', 'pending', 0, null, '2026-01-01 12:00:00', null, 'n1'",
          "5, 'a', 'pending', 2, '2026-01-02 00:00:00', '2026-01-01 12:30:00', null, 'n2'",
          "6, 'b', 'pending', 1, '2099-01-01 00:00:00', '2026-01-01 12:45:00', null, 'n2'",
          "7, 'b', 'failed', 10, null, '2026-01-01 09:00:00', null, null");

  private final TestDatabase database = database();
  private final Layout layout =
      Layouts.EVENT_OUTBOX.table(new TableName(SCHEMA, Layouts.EVENT_OUTBOX.table().name()));
  private Connection connection;

  abstract TestDatabase database();

  @BeforeEach
  void create() throws SQLException {
    connection = database.createSchema(SCHEMA);
    TableSchema.run(connection, TableSchema.documentedTable("event-outbox", database.kind()));
    schema(layout).apply(connection);
    schema(layout).applyViews(connection);
    try (Statement statement = connection.createStatement()) {
      if (!mySql()) {
        statement.execute("set time zone 'UTC'");
      }
      for (String row : ROWS) {
        statement.execute(
            """
            insert into event_outbox (id, event_type, status, attempts, next_attempt_at, created_at,
              processed_at, producer_node, event_key, entity_table, entity_pk, payload)
            values (%s, 'key-%s', 'orders', '1', '{}')"""
                .formatted(row, row.substring(0, 1)));
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private TableSchema schema(Layout of) {
    return TableSchema.of(of, database.kind(), SideNames.of(of), 1);
  }

  private boolean mySql() {
    return database.kind() != DatabaseKind.POSTGRESQL;
  }

  @Test
  void outboxShowsEveryRowAndColumn() throws SQLException {
    assertThat(rows("select id from vw_event_outbox order by id"))
        .containsExactly("1", "2", "3", "4", "5", "6", "7");
    assertThat(columns("vw_event_outbox"))
        .containsExactlyInAnyOrderElementsOf(columns("event_outbox"));
  }

  @Test
  void dueShowsWhatCanBePublishedNow() throws SQLException {
    assertThat(rows("select id, attempts from vw_event_outbox_due order by id"))
        .containsExactly("4 0", "5 2");
    assertThat(rows("select count(*) from vw_event_outbox_due where age_seconds > 1000"))
        .containsExactly("2");
  }

  @Test
  void waitingShowsWhatEachEventWaitsFor() throws SQLException {
    assertThat(rows("select id, waits_for, waits_behind from vw_event_outbox_waiting order by id"))
        .containsExactly("4 null null", "5 next attempt null", "6 earlier event 5");
  }

  @Test
  void whatIsParkedOrHeldIsNotDueAndDoesNotAge() throws SQLException {
    record(
        "row_state",
        "4",
        ", state, attempts, unknown_outcome, last_reason, last_detail",
        ", 'PARKED', 1, false, 'too-large', 'much'");
    record("held", "5", "", "");
    assertThat(rows("select id from vw_event_outbox_due")).isEmpty();
    assertThat(
            rows(
                """
                select id, waits_for, waits_behind, last_reason from vw_event_outbox_waiting
                order by id"""))
        .containsExactly(
            "4 operator null too-large", "5 earlier event 4 null", "6 earlier event 4 null");
    assertThat(
            rows(
                """
                select events, parked, held, oldest_created_at from vw_event_outbox_metrics
                where status = 'pending'"""))
        .singleElement()
        .asString()
        .startsWith("3 1 1 2026-01-01 12:45:00");
    assertThat(
            rows(
                """
                select producer_node, parked, held from vw_sync_backlog_by_node
                where pending > 0 order by 1"""))
        .containsExactly("n1 1 0", "n2 0 1");
  }

  /** As a relay records it. */
  private void record(String table, String id, String columns, String values) throws SQLException {
    String created = database.dialect().micros("o.created_at");
    String sql =
        """
        insert into ${%s} (row_id, row_created, lane, aggregate_type, aggregate_id%s)
        select o.id, %s, 0, 'orders', '1'%s from event_outbox o where o.id = %s"""
            .formatted(table, columns, created, values, id);
    try (Statement statement = connection.createStatement()) {
      statement.execute(database.dialect().fill(SideNames.of(layout), sql));
    }
  }

  @Test
  void latencyIsThatOfProcessedEventsPerType() throws SQLException {
    assertThat(
            rows(
                """
                select event_type, events, avg_seconds, p50_seconds, p95_seconds, max_seconds
                from vw_event_outbox_latency order by event_type"""))
        .containsExactly("a 2 2 1 3 3", "b 1 0.5 0.5 0.5 0.5");
  }

  @Test
  void percentilesAreThoseOfNearestRank() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 1; i <= 20; i++) {
        statement.execute(
            """
            insert into event_outbox (id, event_type, status, created_at, processed_at, event_key,
              entity_table, entity_pk, payload)
            values (%1$d, 'c', 'sent', '2026-01-01 10:00:00', '2026-01-01 10:00:%2$02d', 'c-%2$d',
              'orders', '1', '{}')"""
                .formatted(100 + i, i));
      }
    }
    assertThat(
            rows(
                """
                select events, avg_seconds, p50_seconds, p95_seconds, max_seconds
                from vw_event_outbox_latency where event_type = 'c'"""))
        .containsExactly("20 10.5 10 19 20");
  }

  @Test
  void metricsCountEventsAttemptsAndAgePerStatus() throws SQLException {
    assertThat(
            rows(
                """
                select status, events, attempts, max_attempts from vw_event_outbox_metrics
                order by events, status"""))
        .containsExactly("failed 1 10 10", "pending 3 3 2", "sent 3 5 3");
    assertThat(
            rows(
                """
                select oldest_created_at, case when oldest_age_seconds > 1000 then 1 else 0 end
                from vw_event_outbox_metrics where status = 'pending'"""))
        .singleElement()
        .asString()
        .startsWith("2026-01-01 12:00:00")
        .endsWith(" 1");
  }

  @Test
  void throughputIsPerHourOfCreationAndOfProcessing() throws SQLException {
    assertThat(
            rows("select hour_utc, created, processed from vw_event_throughput_hourly order by 1"))
        .extracting(row -> row.replaceAll(":00([.]0+)? ", ":00 "))
        .containsExactly(
            "2026-01-01 09:00:00 1 0",
            "2026-01-01 10:00:00 2 1",
            "2026-01-01 11:00:00 1 2",
            "2026-01-01 12:00:00 3 0");
  }

  @Test
  void backlogIsWhatEachNodeHasWaitingOrGivenUp() throws SQLException {
    assertThat(
            rows(
                """
                select producer_node, pending, failed, attempts,
                  case when oldest_age_seconds > 1000 then 1 else 0 end
                from vw_sync_backlog_by_node order by pending"""))
        .containsExactly("null 0 1 10 0", "n1 1 0 0 1", "n2 2 0 3 1");
  }

  @Test
  void theyCanBeAppliedAgainAndPrinted() throws SQLException {
    schema(layout).applyViews(connection);
    TableSchema.run(connection, schema(layout).printViews());
    assertThat(VIEWS).allSatisfy(view -> assertThat(schema(layout).printViews()).contains(view));
    assertThat(schema(Layouts.WALLET).printViews()).isEmpty();
  }

  @Test
  void mySqlRunsThemWithTheRightsOfWhoeverAsksAndMergesWhatCanBe() throws SQLException {
    if (!mySql()) {
      return;
    }
    assertThat(
            rows(
                "select distinct security_type from information_schema.views"
                    + " where table_schema = database()"))
        .containsExactly("INVOKER");
    assertThat(rows("show create view vw_event_outbox").get(0)).contains("ALGORITHM=MERGE");
    assertThat(rows("show create view vw_event_outbox_due").get(0)).contains("ALGORITHM=MERGE");
  }

  private List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          values.add(text(result.getObject(i)));
        }
        rows.add(String.join(" ", values));
      }
    }
    return rows;
  }

  private static String text(Object value) {
    return value instanceof BigDecimal number
        ? number.stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }

  private List<String> columns(String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select * from " + table)) {
      ResultSetMetaData data = result.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= data.getColumnCount(); i++) {
        columns.add(data.getColumnName(i) + " " + data.getColumnTypeName(i));
      }
      return columns;
    }
  }
}

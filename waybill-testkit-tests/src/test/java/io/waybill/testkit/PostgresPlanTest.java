package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.OnPublished;
import io.waybill.internal.jdbc.kernel.PostgresSession;
import io.waybill.internal.jdbc.window.CommitWindowSql;
import io.waybill.internal.jdbc.window.PostgresWrites;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans follow the indexes, whatever the statistics say about the table. */
class PostgresPlanTest extends StoreContract {
  private static final PostgresFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);
  private static final CommitWindowSql SQL = new CommitWindowSql("public");
  private static final int MANY = 200_000;

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 20_000})
  void windowsComeFromTheTransactionIndexAndPagesFromThePrimaryKey(int rows) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      fill(statement, rows);
      statement.execute(PostgresSession.windowReader().settings());
      String window = plan(statement, SQL.window());
      assertThat(window)
          .contains("waybill_outbox_xid_idx", "waybill_outbox_available_at_idx")
          .doesNotContain("Seq Scan on waybill_outbox o", "waybill_outbox_pkey", "Parallel");
      String page = plan(statement, SQL.page());
      assertThat(page)
          .contains("waybill_outbox_pkey", "waybill_published_pkey", "waybill_held_pkey")
          .doesNotContain("Seq Scan on waybill_outbox o", "Hash", "Parallel");
    }
  }

  @Test
  void publishedRowsAreFoundByThePrimaryKeyOnceAndComparedInOneHash() throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      fill(statement, 20_000);
      statement.execute(PostgresSession.windowWriter().settings());
      assertThat(plan(statement, new PostgresWrites("public").published(false)))
          .containsOnlyOnce("waybill_outbox_pkey")
          .contains("hashed SubPlan")
          .doesNotContain("Seq Scan on waybill_outbox", "Join");
    }
  }

  /** However large a transaction was, its lowest id costs the same. */
  @Test
  void theLowestIdOfATransactionIsFoundWithoutReadingItsRows() throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      fill(statement, 100);
      connection.setAutoCommit(false);
      String large = transaction(statement, MANY, "null");
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute(PostgresSession.windowReader().settings());

      long next = Long.parseLong(large) + 1;
      String listed = SQL.lowestId();
      assertThat(
              buffers(statement, listed, "'{" + large + "}'", "'" + next + "'", "'" + next + "'"))
          .isLessThan(50);
      assertThat(buffers(statement, listed, "'{}'", "'" + large + "'", "'" + next + "'"))
          .isLessThan(50);
    }
  }

  /** However many rows are due at one time, a list of them costs what its length does. */
  @Test
  void rowsThatAreDueAtOneTimeAreListedWithoutReadingAllOfThem() throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      transaction(statement, MANY, "timestamptz '2020-01-01 09:00Z'");
      statement.execute("vacuum analyze waybill_outbox");
      statement.execute(PostgresSession.windowReader().settings());
      String before = "'2020-01-01 08:00Z'";
      String at = "'2020-01-01 09:00Z'";
      String lanes =
          allLanes().stream().map(String::valueOf).collect(Collectors.joining(",", "'{", "}'"));
      String seen = "pg_current_snapshot()";

      assertThat(buffers(statement, SQL.nextDue(), before, at, "20000")).isLessThan(2_000);
      for (String after : List.of("0", String.valueOf(MANY / 2))) {
        assertThat(buffers(statement, SQL.dueIds(), before, at, after, lanes, seen, "10000"))
            .isLessThan(2_000);
      }
    }
  }

  /** Inserts rows and returns the number of their transaction. */
  private static String transaction(Statement statement, int rows, String due) throws SQLException {
    try (ResultSet result =
        statement.executeQuery(
            """
            with i as (
              insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id,
                payload, available_at)
              select 'l' || n, 't', 'order', n, '{}', %s from generate_series(1, %d) as n
              returning xid
            )
            select max(xid::text::bigint) from i"""
                .formatted(due, rows))) {
      result.next();
      return result.getString(1);
    }
  }

  /** Pages that the generic plan reads. */
  private static long buffers(Statement statement, String sql, String... values)
      throws SQLException {
    statement.execute("prepare plan as " + numbered(sql));
    String plan = "";
    try (ResultSet result =
        statement.executeQuery(
            "explain (analyze, buffers, format json, timing off) execute plan ("
                + String.join(", ", values)
                + ")")) {
      result.next();
      plan = result.getString(1);
    }
    statement.execute("deallocate plan");
    // The first node is the root, which counts what its parts read.
    return counted(plan, "Shared Hit Blocks") + counted(plan, "Shared Read Blocks");
  }

  private static long counted(String plan, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\": ([0-9]+)").matcher(plan);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static String numbered(String sql) {
    String[] parts = sql.split("\\?", -1);
    StringBuilder numbered = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      numbered.append('$').append(i).append(parts[i]);
    }
    return numbered.toString();
  }

  private static void fill(Statement statement, int rows) throws SQLException {
    statement.execute(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'e' || n, 't', 'order', n %% 100, '{}' from generate_series(1, %d) as n;
        insert into waybill_published (id, row_created)
        select id, (extract(epoch from created_at) * 1000000)::bigint from waybill_outbox where id %% 2 = 0;
        analyze waybill_outbox;
        analyze waybill_published"""
            .formatted(rows));
  }

  /** The generic plan, which is the one that the reader's sessions use. */
  private static String plan(Statement statement, String sql) throws SQLException {
    int parameters = (int) sql.chars().filter(c -> c == '?').count();
    String nulls = String.join(", ", Collections.nCopies(parameters, "null"));
    statement.execute("prepare plan as " + numbered(sql));
    StringBuilder plan = new StringBuilder();
    try (ResultSet result = statement.executeQuery("explain execute plan (" + nulls + ")")) {
      while (result.next()) {
        plan.append(result.getString(1)).append('\n');
      }
    }
    statement.execute("deallocate plan");
    return plan.toString();
  }
}

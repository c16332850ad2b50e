package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.dialect.PostgresDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader's plans follow the indexes, whatever the statistics say about the table. */
class PostgresPlanTest extends StoreContract {
  private static final PostgresFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);
  private static final PostgresDialect SQL = new PostgresDialect("public");

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
      statement.execute(SQL.readerSettings());
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

  private static void fill(Statement statement, int rows) throws SQLException {
    statement.execute(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'e' || n, 't', 'order', n %% 100, '{}' from generate_series(1, %d) as n;
        insert into waybill_published (id)
        select id from waybill_outbox where id %% 2 = 0;
        analyze waybill_outbox;
        analyze waybill_published"""
            .formatted(rows));
  }

  /** The generic plan, which is the one that the reader's sessions use. */
  private static String plan(Statement statement, String sql) throws SQLException {
    String[] parts = sql.split("\\?", -1);
    StringBuilder numbered = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      numbered.append('$').append(i).append(parts[i]);
    }
    String nulls = String.join(", ", Collections.nCopies(parts.length - 1, "null"));
    statement.execute("prepare plan as " + numbered);
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

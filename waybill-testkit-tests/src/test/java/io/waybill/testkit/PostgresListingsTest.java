package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.proof.load.ListingsSql;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lists of failures look their rows up, even where a server takes that for dear. */
class PostgresListingsTest {
  private static final int FAILED = 30_000;
  private static final int KEPT = 30_000;
  private static final int PAGE = 20;
  private static final PostgresServer SERVER =
      PostgresServer.launch(Map.of("autovacuum", "off", "random_page_cost", "20"));
  private static final ListingsSql SQL = new ListingsSql(SERVER.jdbcUrl(), false);

  @BeforeAll
  static void fill() throws SQLException {
    try (Connection connection = SERVER.dataSource().getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
    SQL.fail(FAILED);
    SQL.keep(1, KEPT);
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private static Admin admin() {
    return PostgresOutbox.of(
            ConnectionFactory.postgres(SERVER.jdbcUrl(), new Properties()),
            PostgresOptions.ofDefaults())
        .admin();
  }

  private static EventFilter group(EventStatus status) {
    try (Admin admin = admin()) {
      return FailureGroup.filter(admin.failures(status, null, 1, 1).get(0).id());
    }
  }

  @Test
  void aGroupOfFailuresIsLookedUp() throws SQLException {
    for (EventStatus status : List.of(EventStatus.PARKED, EventStatus.DEAD)) {
      EventFilter group = group(status);
      assertLookedUp((admin, after) -> admin.find(group, after, PAGE).events());
    }
  }

  @Test
  void failuresOfAStatusAreLookedUp() throws SQLException {
    for (EventStatus status : List.of(EventStatus.PARKED, EventStatus.DEAD)) {
      EventFilter failed = EventFilter.status(status);
      assertLookedUp((admin, after) -> admin.find(failed, after, PAGE).events());
    }
  }

  @Test
  void blockingEventsAreLookedUp() throws SQLException {
    assertLookedUp((admin, after) -> admin.blocking(after, PAGE));
  }

  /** A list reads the rows of the outbox that it shows, each once. */
  private static void assertLookedUp(BiFunction<Admin, @Nullable String, List<EventView>> list)
      throws SQLException {
    long before = read();
    try (Admin admin = admin()) {
      List<EventView> page = list.apply(admin, null);
      assertThat(page).hasSize(PAGE);
      assertThat(list.apply(admin, page.get(PAGE - 1).position())).hasSize(PAGE);
    }
    assertThat(read() - before).isEqualTo(2L * PAGE);
  }

  private static long read() throws SQLException {
    // Waits for the end of the operator's process, which then makes its numbers known.
    SQL.examined();
    try (Connection connection = SERVER.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                """
                select seq_tup_read + idx_tup_fetch from pg_stat_user_tables
                where relname = 'waybill_outbox'""")) {
      result.next();
      return result.getLong(1);
    }
  }
}

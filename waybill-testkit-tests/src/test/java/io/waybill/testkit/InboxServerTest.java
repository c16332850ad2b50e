package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an inbox says of servers that can undo what it has acknowledged. */
@Tag("server")
@Tag("long")
class InboxServerTest {
  @Test
  void replicasThatMayLackEffectsAreNamed() throws SQLException {
    try (PostgresServer primary = PostgresServer.launch();
        PostgresServer standby = primary.standby();
        JdbcInboxStore store = open(DatabaseKind.POSTGRESQL, primary.jdbcUrl())) {
      assertThat(checks(store)).isEmpty();
      execute(
          primary.jdbcUrl(),
          "alter system set synchronous_standby_names = ''",
          "select pg_reload_conf()");
      await().until(() -> !checks(store).isEmpty());
      assertThat(checks(store)).containsExactly(Check.POSTGRESQL_STANDBY_ASYNCHRONOUS);
      assertThat(standby.port()).isPositive();
    }
  }

  @Test
  void commitsThatDoNotWaitForTheDiskAreNamed() throws SQLException {
    try (MariaDbServer server =
            MariaDbServer.launch(Map.of("innodb-flush-log-at-trx-commit", "2"));
        JdbcInboxStore store = open(DatabaseKind.MARIADB, server.createDatabase("shop"))) {
      assertThat(checks(store)).containsExactly(Check.MYSQL_FLUSH_LOG_AT_COMMIT_OFF);
      execute(server.jdbcUrl(), store.check().get(0).remedy());
      assertThat(checks(store)).isEmpty();
    }
  }

  private static List<Check> checks(JdbcInboxStore store) {
    return store.check().stream().map(Finding::check).toList();
  }

  private static JdbcInboxStore open(DatabaseKind kind, String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      String schema =
          kind == DatabaseKind.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
      InboxSchema.of(kind, String.valueOf(schema), InboxTables.own()).apply(connection);
    }
    JdbcInboxStore store =
        JdbcInboxStore.of(
            () -> DriverManager.getConnection(url), kind, "a", InboxOptions.ofDefaults());
    store.open();
    return store;
  }

  private static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}

package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layouts;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Start-up checks of servers that are not alone. */
@Tag("server")
@Tag("long")
class MySqlReplicationTest {
  private static final SchemaOptions OPTIONS = SchemaOptions.ofDefaults().schema("shop");

  @Test
  void replicasThatMayLackEventsAreNamed() throws SQLException {
    try (MariaDbServer source =
            MariaDbServer.launch(Map.of("log-bin", "binlog", "sync-binlog", "1"));
        MariaDbServer replica = MariaDbServer.launch(Map.of("server-id", "2"));
        Connection connection = DriverManager.getConnection(source.createDatabase("shop"))) {
      Schema.of(DatabaseKind.MARIADB, OPTIONS).apply(connection);
      assertThat(check(connection)).isEmpty();
      execute(
          replica,
          """
          change master to master_host = '127.0.0.1', master_port = %d, master_user = 'root',
            master_ssl = 0"""
              .formatted(source.port()));
      execute(replica, "start slave");
      await().until(() -> !check(connection).isEmpty());

      assertThat(check(connection))
          .singleElement()
          .returns(Check.MYSQL_REPLICA_ASYNCHRONOUS, Finding::check);
      execute(source, "set global rpl_semi_sync_master_enabled = on");
      assertThat(check(connection))
          .singleElement()
          .returns("rpl_semi_sync_master_wait_point", Finding::subject);
      execute(source, check(connection).get(0).remedy());
      assertThat(check(connection)).isEmpty();
    }
  }

  @Test
  void aNodeThatSharesItsWritersWithOthersIsNamed() throws SQLException {
    try (MariaDbServer node =
            MariaDbServer.launch(Map.of("wsrep-on", "ON", "binlog-format", "ROW"));
        Connection connection = DriverManager.getConnection(node.createDatabase("shop"))) {
      Schema.of(DatabaseKind.MARIADB, OPTIONS).apply(connection);
      assertThat(check(connection))
          .singleElement()
          .returns(Check.MYSQL_SEVERAL_WRITERS, Finding::check);
    }
  }

  @Test
  void connectionsThatLeadToDifferentServersAreRefused() throws SQLException {
    try (MariaDbServer one = MariaDbServer.launch();
        MariaDbServer other = MariaDbServer.launch()) {
      List<MariaDbServer> nodes = List.of(one, other);
      for (MariaDbServer node : nodes) {
        try (Connection connection = DriverManager.getConnection(node.createDatabase("shop"))) {
          Schema.of(DatabaseKind.MARIADB, OPTIONS).apply(connection);
        }
      }
      AtomicInteger turn = new AtomicInteger();
      assertThat(
              outbox(() -> nodes.get(turn.getAndIncrement() % 2).dataSource("shop").getConnection())
                  .check())
          .singleElement()
          .returns(Check.SERVERS_DIFFER, Finding::check);
      assertThat(outbox(() -> one.dataSource("shop").getConnection()).check()).isEmpty();
    }
  }

  private static TableOutbox outbox(ConnectionFactory connections) {
    return TableOutbox.of(
        connections, Layouts.WAYBILL, DatabaseKind.MARIADB, TableOptions.defaults(Layouts.WAYBILL));
  }

  private static List<Finding> check(Connection connection) throws SQLException {
    return new MySqlChecks(OPTIONS).run(connection);
  }

  private static void execute(MariaDbServer server, String statement) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }
}

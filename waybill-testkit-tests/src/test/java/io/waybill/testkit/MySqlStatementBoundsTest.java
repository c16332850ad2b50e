package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layouts;
import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.store.LaneStore;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What ends a relay's statement that writes on MySQL, where the server bounds only those that read.
 * Limits: 1 s for the statement, 5 s for a row's lock, 6 s for the network.
 */
@Tag("long")
@Tag("server")
@Timeout(60)
class MySqlStatementBoundsTest {
  private static final int LOCK_WAIT_TIMEOUT = 1205;

  private static MySqlServer server;

  @BeforeAll
  static void start() throws SQLException {
    UnpackedServer.MYSQL.assumeThere();
    server = MySqlServer.launch();
    server.createDatabase("shop");
    try (Connection connection = server.dataSource("shop").getConnection()) {
      Schema.of(DatabaseKind.MYSQL, SchemaOptions.ofDefaults().schema("shop")).apply(connection);
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static LaneStore lanes() {
    TableOptions options =
        TableOptions.defaults(Layouts.WAYBILL).statementLimit(Duration.ofSeconds(1));
    return TableOutbox.of(
            ConnectionFactory.mariaDb(server.jdbcUrl("shop"), new Properties()),
            Layouts.WAYBILL,
            DatabaseKind.MYSQL,
            options)
        .lanes();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Sessions that the server still works for, though their client has left. */
  private static List<String> working(Connection connection) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select id from information_schema.processlist"
                    + " where id <> connection_id() and db = 'shop'")) {
      while (row.next()) {
        ids.add(row.getString(1));
      }
    }
    return ids;
  }

  private static ThrowableAssertAlternative<StoreException> assertThatJoiningEnds() {
    try (LaneStore lanes = lanes()) {
      return assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> lanes.join("relay", Duration.ofMinutes(1)))
          .satisfies(e -> assertThat(e.isTransient()).isTrue());
    }
  }

  /** An ALTER TABLE of somebody else, or a backup: a year by the server's default. */
  @Test
  void aWaitForATableIsEndedByTheServer() throws SQLException {
    try (Connection other = server.dataSource("shop").getConnection()) {
      execute(other, "lock tables waybill_session read");
      assertThatJoiningEnds()
          .havingCause()
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(LOCK_WAIT_TIMEOUT));
    }
  }

  @Test
  void aStatementThatWorksOnIsLeftByTheClient() throws SQLException {
    try (Connection other = server.dataSource("shop").getConnection()) {
      execute(
          other,
          "create trigger slow before insert on waybill_session for each row set @slow = sleep(300)");
      try {
        assertThatJoiningEnds();
      } finally {
        for (String id : working(other)) {
          execute(other, "kill " + id);
        }
        execute(other, "drop trigger slow");
      }
    }
    try (LaneStore lanes = lanes()) {
      assertThat(lanes.join("relay", Duration.ofMinutes(1)).fence()).isPositive();
    }
  }
}

package io.waybill.proof.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Replies of a real database, lost, late and cut, seen by its real driver. */
@Tag("server")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseProxyContract {
  private static final int NETWORK_MILLIS = 1_500;

  private final DatabaseKind kind;
  private final Protocol protocol;
  private final String blob;
  private DatabaseServer server;
  private Proxy proxy;
  private Connection proxied;
  private Connection direct;

  DatabaseProxyContract(DatabaseKind kind, Protocol protocol, String blob) {
    this.kind = kind;
    this.protocol = protocol;
    this.blob = blob;
  }

  @BeforeAll
  void launch() {
    server = DatabaseServer.launch(kind);
    server.createDatabase("shop");
  }

  @AfterAll
  void end() {
    server.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    proxy = Proxy.start(protocol, server.port());
    direct = server.dataSource("shop").getConnection();
    execute(direct, "drop table if exists t");
    execute(direct, "create table t (n int primary key, b " + blob + ")");
    proxied = DriverManager.getConnection(proxy.through(server.jdbcUrl("shop")));
    proxied.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
  }

  @AfterEach
  void disconnect() throws SQLException {
    proxy.close();
    direct.close();
    try {
      proxied.close();
    } catch (SQLException e) {
      // The proxy has cut it.
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void insert(int n) throws SQLException {
    try (PreparedStatement statement = proxied.prepareStatement("insert into t (n) values (?)")) {
      statement.setInt(1, n);
      statement.executeUpdate();
    }
  }

  private void insertAndCommit(int n) throws SQLException {
    proxied.setAutoCommit(false);
    insert(n);
    proxied.commit();
  }

  private long rows() throws SQLException {
    try (Statement statement = direct.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from t")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static Rule.Counted third() {
    return Rule.on(Match.commitReply()).nth(3);
  }

  @Test
  void aDroppedCommitReplyLeavesTheClientInDoubtAndTheRowInPlace() throws SQLException {
    Rule rule = proxy.add(third().before(Action.drop()));
    insertAndCommit(1);
    insert(9);
    proxied.rollback();
    insertAndCommit(2);
    Instant start = Instant.now();
    assertThatThrownBy(() -> insertAndCommit(3)).isInstanceOf(SQLException.class);
    assertThat(Duration.between(start, Instant.now()).toMillis())
        .isGreaterThan(NETWORK_MILLIS - 100);
    assertThat(rows()).isEqualTo(3);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }

  @Test
  void aConnectionCutBeforeTheReplyLeavesTheRowInPlace() throws SQLException {
    proxy.add(third().before(Action.reset()));
    insertAndCommit(1);
    insertAndCommit(2);
    assertThatThrownBy(() -> insertAndCommit(3)).isInstanceOf(SQLException.class);
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void aConnectionCutAfterTheReplyHasToldTheClient() throws SQLException {
    Rule cut = proxy.add(Rule.on(Match.commitReply()).nth(2).after(Action.close()));
    insertAndCommit(1);
    insertAndCommit(2);
    assertThat(proxy.history().count(cut)).isEqualTo(1);
    assertThatThrownBy(() -> insertAndCommit(3)).isInstanceOf(SQLException.class);
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aDelayedReplyIsLate() throws SQLException {
    proxy.add(third().before(Action.delay(Duration.ofMillis(500))));
    insertAndCommit(1);
    insertAndCommit(2);
    Instant start = Instant.now();
    insertAndCommit(3);
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(490));
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void aDuplicatedReplyLeavesOneRow() throws SQLException {
    Rule rule = proxy.add(third().before(Action.duplicate()));
    insertAndCommit(1);
    insertAndCommit(2);
    try {
      insertAndCommit(3);
    } catch (SQLException e) {
      // The driver may say that it does not understand its server.
    }
    assertThat(proxy.history().count(rule)).isEqualTo(1);
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void repliesToStatementsThatAreTheirOwnTransactionAreToldFromOthers() throws SQLException {
    Rule rule = proxy.add(Rule.on(Match.autocommitReply()).nth(2).before(Action.reset()));
    insert(1);
    execute(proxied, "select count(*) from t");
    insertAndCommit(2);
    proxied.setAutoCommit(true);
    assertThat(proxy.history().count(rule)).isZero();
    assertThatThrownBy(() -> insert(3)).isInstanceOf(SQLException.class);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void repliesAreFoundByTheirStatement() throws SQLException {
    insert(1);
    Rule rule = proxy.add(Rule.on(Match.replyTo("update\\s+t\\b")).nth(2).before(Action.reset()));
    try (PreparedStatement update = proxied.prepareStatement("Update t set n = n + ?")) {
      update.setInt(1, 5);
      update.executeUpdate();
      insert(1);
      update.setInt(1, 100);
      assertThatThrownBy(update::executeUpdate).isInstanceOf(SQLException.class);
    }
    assertThat(proxy.history().count(rule)).isEqualTo(1);
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void largeValuesAndLongResultsPassUnchanged() throws SQLException {
    byte[] large = new byte[20 << 20];
    Arrays.fill(large, (byte) 7);
    proxied.setNetworkTimeout(Runnable::run, 60_000);
    execute(direct, setting());
    try (Connection fresh = DriverManager.getConnection(proxy.through(server.jdbcUrl("shop")));
        PreparedStatement insert = fresh.prepareStatement("insert into t values (?, ?)")) {
      insert.setInt(1, 1);
      insert.setBytes(2, large);
      insert.executeUpdate();
      for (int n = 2; n < 2_000; n++) {
        insert.setInt(1, n);
        insert.setBytes(2, new byte[] {(byte) n});
        insert.addBatch();
      }
      insert.executeBatch();
      try (Statement statement = fresh.createStatement();
          ResultSet row = statement.executeQuery("select n, b from t order by n")) {
        for (int n = 1; n < 2_000; n++) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).isEqualTo(n);
          assertThat(row.getBytes(2)).isEqualTo(n == 1 ? large : new byte[] {(byte) n});
        }
        assertThat(row.next()).isFalse();
      }
    }
    // After a reply of many packets the next ones are still told apart.
    Rule rule = proxy.add(Rule.on(Match.commitReply()).nth(1).before(Action.reset()));
    execute(proxied, "select n from t");
    assertThatThrownBy(() -> insertAndCommit(5_000)).isInstanceOf(SQLException.class);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }

  /** Lets the server take the large value. */
  abstract String setting();
}

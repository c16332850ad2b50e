package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.jdbc.Schema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.MySqlDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Start-up checks that need a server of their own, with a binary log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class MySqlChecksTest {
  private static final SchemaOptions OPTIONS = SchemaOptions.ofDefaults().schema("shop");

  private DatabaseServer server;
  private Connection connection;

  @BeforeAll
  void launch() {
    server = MySqlDatabases.launch(Map.of("log-bin", "binlog", "sync-binlog", "1"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    server.createDatabase("shop");
    connection = DriverManager.getConnection(url());
    Schema.of(server.kind(), OPTIONS).apply(connection);
    assertThat(check()).isEmpty();
  }

  private String url() {
    return MySqlDatabases.ofDriver(server.jdbcUrl("shop"));
  }

  @AfterEach
  void drop() throws SQLException {
    execute("drop database shop");
    connection.close();
  }

  @ParameterizedTest
  @CsvSource({
    "innodb_flush_log_at_trx_commit, 2, MYSQL_FLUSH_LOG_AT_COMMIT_OFF",
    "innodb_flush_log_at_trx_commit, 0, MYSQL_FLUSH_LOG_AT_COMMIT_OFF",
    "sync_binlog, 0, MYSQL_SYNC_BINLOG_OFF",
    "binlog_format, 'STATEMENT', MYSQL_BINLOG_OF_STATEMENTS",
    "sql_mode, '', MYSQL_NOT_STRICT",
    "read_only, 1, MYSQL_READ_ONLY",
    "transaction_read_only, 1, MYSQL_TRANSACTIONS_READ_ONLY",
    "sql_select_limit, 10, MYSQL_SELECTS_CUT",
    "sql_safe_updates, 1, MYSQL_SAFE_UPDATES",
    "unique_checks, 0, MYSQL_KEYS_NOT_CHECKED",
    "foreign_key_checks, 0, MYSQL_KEYS_NOT_CHECKED",
    "wait_timeout, 5, MYSQL_IDLE_CONNECTIONS_ENDED",
    "max_allowed_packet, 1048576, MYSQL_PACKETS_TOO_SMALL",
  })
  void aServerThatIsSetUpBadlyIsFoundAndMended(String name, String bad, Check check)
      throws SQLException {
    set(name, bad);
    List<Finding> findings = check();
    String remedy = "set global " + findings.get(0).remedy().replaceFirst(".*set global ", "");
    execute(remedy);

    assertThat(findings)
        .singleElement()
        .returns(check, Finding::check)
        .returns(name, Finding::subject)
        .satisfies(finding -> assertThat(finding.detail()).contains(name));
    assertThat(check()).isEmpty();
  }

  @Test
  void aServerWithoutFreeConnectionsIsFoundAndMended() throws SQLException {
    String before = text("select @@global.max_connections");
    List<Connection> others = new ArrayList<>();
    try {
      set("max_connections", "10");
      for (int i = 0; i < 8; i++) {
        others.add(DriverManager.getConnection(url()));
      }
      List<Finding> findings = check();
      assertThat(findings)
          .singleElement()
          .returns(Check.MYSQL_CONNECTIONS_LOW, Finding::check)
          .returns("max_connections", Finding::subject);
      execute(findings.get(0).remedy());
      assertThat(check()).isEmpty();
    } finally {
      set("max_connections", before);
      for (Connection other : others) {
        other.close();
      }
    }
  }

  @Test
  void aUserWithTooFewConnectionsIsFoundAndMended() throws SQLException {
    execute("create user few with max_user_connections 2");
    execute("grant all on shop.* to few");
    String url = url().replace("user=root", "user=few");
    try (Connection few = DriverManager.getConnection(url)) {
      List<Finding> findings = new MySqlChecks(OPTIONS).run(few);
      assertThat(findings)
          .singleElement()
          .returns(Check.MYSQL_CONNECTIONS_LOW, Finding::check)
          .returns("max_user_connections", Finding::subject);
      execute(findings.get(0).remedy().replace("<relay user>", "few"));
    }
    try (Connection few = DriverManager.getConnection(url)) {
      assertThat(new MySqlChecks(OPTIONS).run(few)).isEmpty();
    }
    execute("drop user few");
  }

  @Test
  void whatOnlyAStartCanChangeIsFound() throws SQLException {
    Map<String, String> options =
        Map.of("innodb-doublewrite", "off", "innodb-flush-method", "nosync");
    try (DatabaseServer unsafe = MySqlDatabases.launch(options);
        Connection own = DriverManager.getConnection(unsafe.createDatabase("shop"))) {
      Schema.of(unsafe.kind(), OPTIONS).apply(own);
      assertThat(new MySqlChecks(OPTIONS).run(own))
          .extracting(Finding::check)
          .containsExactly(Check.MYSQL_DISK_NOT_AWAITED, Check.MYSQL_DOUBLEWRITE_OFF);
    }
  }

  /** MySQL neither calls itself another version nor makes databases while it recovers. */
  @Test
  void aServerThatIsOldOrForcedToRecoverIsRefused() throws SQLException {
    Map<String, String> options = Map.of("innodb-force-recovery", "1", "version", "10.5.9-MariaDB");
    try (MariaDbServer old = MariaDbServer.launch(options);
        Connection own = DriverManager.getConnection(old.createDatabase("shop"))) {
      Schema.of(DatabaseKind.MARIADB, OPTIONS).apply(own);
      assertThat(new MySqlChecks(OPTIONS).run(own))
          .extracting(Finding::check)
          .containsExactly(Check.MYSQL_TOO_OLD, Check.MYSQL_FORCED_RECOVERY);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "waybill_outbox, convert to character set utf8mb4 collate utf8mb4_general_ci,"
        + " MYSQL_IDS_NOT_BYTES",
    "waybill_outbox, convert to character set utf8mb4 collate utf8mb4_bin, MYSQL_IDS_NOT_BYTES",
    "waybill_row_state, convert to character set latin1 collate latin1_bin, MYSQL_IDS_NOT_BYTES",
    "waybill_row_state, engine = MyISAM, TABLE_WITHOUT_TRANSACTIONS",
  })
  void tablesThatCannotTellIdsApartOrRollBackAreRefusedAndMended(
      String table, String change, Check check) throws SQLException {
    execute("alter table " + table + " " + change);
    List<Finding> findings = check();

    assertThat(findings)
        .singleElement()
        .returns(check, Finding::check)
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .returns("table " + table, Finding::subject);
    execute(findings.get(0).remedy());
    assertThat(check()).isEmpty();
  }

  @Test
  void aSessionThatCannotCarryEveryCharacterIsRefused() throws SQLException {
    execute("set character_set_client = utf8mb3");
    assertThat(new MySqlChecks(OPTIONS).run(connection))
        .singleElement()
        .returns(Check.MYSQL_CONNECTION_CHARACTER_SET, Finding::check)
        .returns("character_set_client", Finding::subject);
  }

  @Test
  void whatOthersDidToTheOwnTableIsFoundAndMended() throws SQLException {
    execute(
        """
        create trigger meddling before delete on waybill_outbox for each row
          set @meddled = 1""");
    execute(
        """
        create table copy (id bigint not null, foreign key (id) references waybill_outbox (id))""");
    List<Finding> findings = check();
    assertThat(findings)
        .extracting(Finding::check)
        .containsExactlyInAnyOrder(Check.TABLE_TRIGGER, Check.TABLE_REFERENCED);
    for (Finding finding : findings) {
      execute(finding.remedy());
    }
    assertThat(check()).isEmpty();
  }

  private void set(String name, String value) throws SQLException {
    boolean number = value.matches("\\d+");
    execute("set global " + name + " = " + (number ? value : "'" + value + "'"));
  }

  private List<Finding> check() throws SQLException {
    // What is set globally holds for new connections.
    try (Connection fresh = DriverManager.getConnection(url())) {
      return new MySqlChecks(OPTIONS).run(fresh);
    }
  }

  private String text(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

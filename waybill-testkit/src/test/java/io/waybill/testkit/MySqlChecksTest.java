package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.MySqlChecks;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
  private static final SchemaOptions OPTIONS = SchemaOptions.defaults().schema("shop");

  private MariaDbServer server;
  private Connection connection;

  @BeforeAll
  void launch() {
    server = MariaDbServer.launch(Map.of("log-bin", "binlog", "sync-binlog", "1"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(server.createDatabase("shop"));
    Schema.of(DatabaseKind.MARIADB, OPTIONS).apply(connection);
    assertThat(check()).isEmpty();
  }

  @AfterEach
  void drop() throws SQLException {
    execute("drop database shop");
    connection.close();
  }

  @ParameterizedTest
  @CsvSource({
    "innodb_flush_log_at_trx_commit, 2, 1, REFUSE",
    "innodb_flush_log_at_trx_commit, 0, 1, REFUSE",
    "sync_binlog, 0, 1, WARN",
    "binlog_format, 'STATEMENT', 'ROW', REFUSE",
    "sql_mode, '', 'STRICT_TRANS_TABLES', WARN",
    "read_only, 1, 0, REFUSE",
  })
  void aServerThatIsSetUpBadlyIsFoundAndMended(
      String name, String bad, String good, Finding.Severity severity) throws SQLException {
    set(name, bad);
    List<Finding> findings = check();
    set(name, good);

    assertThat(findings)
        .singleElement()
        .returns(severity, Finding::severity)
        .returns(name, Finding::subject)
        .satisfies(finding -> assertThat(finding.detail()).contains(name))
        .satisfies(finding -> assertThat(finding.remedy()).contains("set global " + name));
    assertThat(check()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "waybill_outbox, convert to character set utf8mb4 collate utf8mb4_general_ci",
    "waybill_outbox, convert to character set utf8mb4 collate utf8mb4_bin",
    "waybill_row_state, convert to character set latin1 collate latin1_bin",
    "waybill_destination, engine = Aria",
  })
  void tablesThatCannotTellIdsApartOrRollBackAreRefusedAndMended(String table, String change)
      throws SQLException {
    execute("alter table " + table + " " + change);
    List<Finding> findings = check();

    assertThat(findings)
        .singleElement()
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .returns("table " + table, Finding::subject);
    execute(findings.get(0).remedy());
    assertThat(check()).isEmpty();
  }

  @Test
  void aSessionThatCannotCarryEveryCharacterIsRefused() throws SQLException {
    execute("set character_set_client = utf8mb3");
    assertThat(check())
        .singleElement()
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .returns("character_set_client", Finding::subject);
    execute("set character_set_client = utf8mb4");
  }

  private void set(String name, String value) throws SQLException {
    boolean number = value.matches("\\d+");
    execute("set global " + name + " = " + (number ? value : "'" + value + "'"));
  }

  private List<Finding> check() throws SQLException {
    return new MySqlChecks(OPTIONS).run(connection);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

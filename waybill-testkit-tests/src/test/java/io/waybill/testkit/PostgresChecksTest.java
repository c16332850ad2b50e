package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Start-up checks that need a server of their own. */
class PostgresChecksTest {
  @Test
  void serversThatCanLoseCommitsAndStandbysAreRefused() throws Exception {
    Map<String, String> unsafe = Map.of("fsync", "off", "full_page_writes", "off");
    try (PostgresServer server = PostgresServer.launch(unsafe)) {
      try (Connection connection = server.dataSource().getConnection()) {
        Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      }
      assertThat(check(server.jdbcUrl()))
          .allSatisfy(finding -> assertThat(finding.remedy()).contains("= on"))
          .extracting(Finding::check)
          .containsExactly(Check.POSTGRESQL_FSYNC_OFF, Check.POSTGRESQL_FULL_PAGE_WRITES_OFF);

      server.stop();
      Path data = server.log().resolveSibling("data");
      Files.createFile(data.resolve("standby.signal"));
      server.start();
      assertThat(check(server.jdbcUrl()))
          .anySatisfy(
              finding -> {
                assertThat(finding.check()).isEqualTo(Check.POSTGRESQL_STANDBY);
                assertThat(finding.remedy()).contains("targetServerType=primary");
              });
    }
  }

  @Test
  void serversThatRunFullOfConnectionsOrLogsAreNamed() throws Exception {
    Map<String, String> unsafe = Map.of("max_connections", "5", "archive_mode", "on");
    try (PostgresServer server = PostgresServer.launch(unsafe);
        Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      statement.execute("alter system set autovacuum = off");
      statement.execute("alter system set archive_command = 'false'");
      statement.execute("select pg_reload_conf()");
      statement.execute("select pg_switch_wal()");
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .untilAsserted(
              () ->
                  assertThat(all(server.jdbcUrl()))
                      .extracting(Finding::check)
                      .containsExactlyInAnyOrder(
                          Check.POSTGRESQL_AUTOVACUUM_OFF,
                          Check.POSTGRESQL_CONNECTIONS_LOW,
                          Check.POSTGRESQL_ARCHIVING_FAILS));
      statement.execute("alter system set autovacuum = on");
      statement.execute("select pg_reload_conf()");
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(all(server.jdbcUrl()))
                      .extracting(Finding::check)
                      .doesNotContain(Check.POSTGRESQL_AUTOVACUUM_OFF));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "SQL_ASCII"})
  void databasesThatCannotHoldEveryCharacterAreRefused(String encoding) throws Exception {
    String name = encoding.toLowerCase(Locale.ROOT);
    PostgresServer server = PostgresFixture.SERVER;
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create database %s encoding '%s' locale 'C' template template0"
              .formatted(name, encoding));
    }
    try (Connection connection = server.dataSource(name).getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
    assertThat(check(server.jdbcUrl(name)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.POSTGRESQL_ENCODING);
              assertThat(finding.detail()).contains(encoding);
            });
  }

  /** All of them refuse the start. */
  private static List<Finding> check(String url) {
    List<Finding> findings = all(url);
    assertThat(findings).extracting(Finding::severity).containsOnly(Finding.Severity.REFUSE);
    return findings;
  }

  private static List<Finding> all(String url) {
    return PostgresOutbox.of(
            ConnectionFactory.postgres(url, new Properties()), PostgresOptions.ofDefaults())
        .check();
  }
}

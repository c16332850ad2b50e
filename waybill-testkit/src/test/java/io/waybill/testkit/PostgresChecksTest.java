package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.observe.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
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
        Schema.of(SchemaOptions.defaults()).apply(connection);
      }
      assertThat(check(server.jdbcUrl()))
          .allSatisfy(finding -> assertThat(finding.remedy()).contains("= on"))
          .extracting(Finding::subject)
          .containsExactly("fsync", "full_page_writes");

      server.stop();
      Path data = server.log().resolveSibling("data");
      Files.createFile(data.resolve("standby.signal"));
      server.start();
      assertThat(check(server.jdbcUrl()))
          .anySatisfy(
              finding -> {
                assertThat(finding.subject()).isEqualTo("standby");
                assertThat(finding.remedy()).contains("targetServerType=primary");
              });
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
      Schema.of(SchemaOptions.defaults()).apply(connection);
    }
    assertThat(check(server.jdbcUrl(name)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.subject()).isEqualTo("server_encoding");
              assertThat(finding.detail()).contains(encoding);
            });
  }

  /** All of them refuse the start. */
  private static List<Finding> check(String url) {
    List<Finding> findings =
        PostgresOutbox.of(
                ConnectionFactory.postgres(url, new Properties()), PostgresOptions.defaults())
            .check();
    assertThat(findings).extracting(Finding::severity).containsOnly(Finding.Severity.REFUSE);
    return findings;
  }
}

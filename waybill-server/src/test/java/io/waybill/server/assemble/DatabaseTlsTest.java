package io.waybill.server.assemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.server.config.ConfigLoader;
import io.waybill.server.config.OutboxConfig;
import io.waybill.testkit.Certificates;
import io.waybill.testkit.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS to a database whose certificate names {@code localhost} and not its address. */
@Tag("server")
class DatabaseTlsTest {
  @TempDir private static Path directory;
  private static Certificates certificates;
  private static PostgresServer server;

  @BeforeAll
  static void launch() {
    certificates =
        new Certificates(directory)
            .authority("root")
            .authority("stranger")
            .issue("root", "database", "dns:localhost");
    server =
        PostgresServer.launch(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", certificates.file("database.pem").toString(),
                "ssl_key_file", certificates.file("database.key").toString()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void encryptsAndVerifiesTheServer() throws Exception {
    try (Connection connection = open("localhost", "root.pem");
        ResultSet row =
            connection
                .createStatement()
                .executeQuery("select ssl from pg_stat_ssl where pid = pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getBoolean(1)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, root.pem", "localhost, stranger.pem"})
  void refusesAnotherHostAndAnUnknownAuthority(String host, String authority) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> open(host, authority).close())
        .satisfies(e -> assertThat(e.getSQLState()).startsWith("08"));
  }

  private static Connection open(String host, String authority) throws IOException, SQLException {
    Path file =
        Files.writeString(
            directory.resolve("waybill.yaml"),
            """
            outboxes:
              orders:
                database:
                  url: jdbc:postgresql://%s:%d/postgres
                  user: postgres
                  properties: {sslmode: verify-full, sslrootcert: "%s"}
                kafka: {bootstrap-servers: ["127.0.0.1:9"]}
                routes: {default: {target: orders}}
            """
                .formatted(host, server.port(), certificates.file(authority)));
    OutboxConfig config = ConfigLoader.load(file, Map.of(), "relay").config().outboxes().get(0);
    return Databases.connections(config).open();
  }
}

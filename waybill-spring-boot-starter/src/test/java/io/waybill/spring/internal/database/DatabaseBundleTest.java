package io.waybill.spring.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** TLS of databases by an SSL bundle: whom it trusts, what it asks for, and its renewal. */
@Tag("server")
@Tag("long")
class DatabaseBundleTest {
  @TempDir private Path folder;

  private static SslBundle bundle(Path authority, SslOptions options) {
    PemSslStoreDetails trust = PemSslStoreDetails.forCertificate("file:" + authority);
    return SslBundle.of(new PemSslStoreBundle(null, trust), SslBundleKey.NONE, options);
  }

  private static SslBundle trusting(Path authority) {
    return bundle(authority, SslOptions.NONE);
  }

  private static DatabaseServer launch(DatabaseKind kind) {
    return kind == DatabaseKind.POSTGRESQL
        ? PostgresServer.launch(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", TestServers.file("broker.pem"),
                "ssl_key_file", TestServers.file("broker.key")))
        : MariaDbServer.launch(
            Map.of(
                "ssl", "on",
                "ssl-cert", TestServers.file("broker.pem"),
                "ssl-key", TestServers.file("broker.key")));
  }

  private static String user(DatabaseKind kind) {
    return kind == DatabaseKind.POSTGRESQL ? "postgres" : "root";
  }

  private static String url(DatabaseServer server, String host) {
    return server.kind() == DatabaseKind.POSTGRESQL
        ? "jdbc:postgresql://%s:%d/postgres".formatted(host, server.port())
        : "jdbc:mariadb://%s:%d/mysql".formatted(host, server.port());
  }

  private static String protocol(Connection connection, DatabaseKind kind) throws SQLException {
    String query =
        kind == DatabaseKind.POSTGRESQL
            ? "select version from pg_stat_ssl where pid = pg_backend_pid()"
            : "select variable_value from information_schema.session_status"
                + " where variable_name = 'Ssl_version'";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void theServerIsTheOneThatTheBundleTrustsAndTheUrlNames(DatabaseKind kind) throws Exception {
    Certificates stranger = new Certificates(folder).authority("stranger");
    Path root = Path.of(TestServers.file("root.pem"));
    try (DatabaseServer server = launch(kind)) {
      AtomicReference<SslBundle> bundle = new AtomicReference<>();

      bundle.set(trusting(stranger.file("stranger.pem")));
      assertRefused(bundle, url(server, "127.0.0.1"), kind);
      bundle.set(trusting(root));
      assertRefused(bundle, url(server, "localhost"), kind);
      try (Connection connection =
          OwnDatabase.open(bundle::get, url(server, "127.0.0.1"), "username", user(kind))) {
        assertThat(protocol(connection, kind)).isEqualTo("TLSv1.3");
      }

      SslOptions old = SslOptions.of(null, java.util.Set.of("TLSv1.2"));
      bundle.set(bundle(root, old));
      try (Connection connection =
          OwnDatabase.open(bundle::get, url(server, "127.0.0.1"), "username", user(kind))) {
        assertThat(protocol(connection, kind)).isEqualTo("TLSv1.2");
      }
    }
  }

  private static void assertRefused(
      AtomicReference<SslBundle> bundle, String url, DatabaseKind kind) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> OwnDatabase.open(bundle::get, url, "username", user(kind)).close())
        .satisfies(e -> assertThat(e.getSQLState()).startsWith("08"));
  }
}

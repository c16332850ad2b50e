package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.internal.store.ErrorText;
import io.waybill.jdbc.Schema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.UnpackedServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user of MySQL with a password and a server with the certificate that it made for itself, both
 * as they are by default.
 */
@Tag("long")
@Tag("server")
class MySqlLogInTest {
  private static final SchemaOptions OPTIONS = SchemaOptions.ofDefaults().schema("shop");
  private static final String VERIFY =
      "sslMode=verify-ca with serverSslCert=<copy of the server's ca.pem>";

  private static MySqlServer server;
  private static String url;

  @BeforeAll
  static void start() throws SQLException {
    UnpackedServer.MYSQL.assumeThere();
    server = MySqlServer.launch();
    server.createDatabase("shop");
    url = "jdbc:mysql://127.0.0.1:" + server.port() + "/shop";
    execute("create user app identified by 'secret'", "grant all on shop.* to app");
    try (Connection connection = server.dataSource("shop").getConnection()) {
      Schema.of(DatabaseKind.MYSQL, OPTIONS).apply(connection);
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** As after a start of the server. */
  @BeforeEach
  void forgetPasswords() throws SQLException {
    execute("flush privileges");
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static Connection connect(String options) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(Map.of("user", "app", "password", "secret"));
    // A busy machine takes its time, and another error then comes first.
    properties.putAll(Map.of("connectTimeout", "60000", "socketTimeout", "60000"));
    for (String option : options.replace("DATA", server.data().toString()).split("&", -1)) {
      if (!option.isEmpty()) {
        String[] parts = option.split("=", 2);
        properties.setProperty(parts[0], parts[1]);
      }
    }
    return ConnectionFactory.mariaDb(url, properties).open();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sslMode=verify-ca&serverSslCert=DATA/ca.pem",
        "sslMode=disable&serverRsaPublicKeyFile=DATA/public_key.pem",
        "sslMode=trust"
      })
  void theWaysOfTheGuideLeadToTheServer(String options) throws SQLException {
    try (Connection connection = connect(options)) {
      assertThat(DatabaseKind.of(connection)).isEqualTo(DatabaseKind.MYSQL);
      assertThat(new MySqlChecks(OPTIONS).run(connection)).isEmpty();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                      | VERIFY; or sslMode=trust
          sslMode=verify-ca                                       | VERIFY; or sslMode=trust
          sslMode=disable                                         | VERIFY, or serverRsaPublicKeyFile=
          sslMode=verify-full&serverSslCert=DATA/ca.pem           | VERIFY; sslMode=verify-full needs
          serverSslCert=DATA/ca.pem                               | VERIFY; sslMode=verify-full needs
          sslMode=disable&serverRsaPublicKeyFile=/nowhere/key.pem | a copy of the server's public_key.pem
          sslMode=disable&serverRsaPublicKeyFile=DATA/ca.pem      | a copy of the server's public_key.pem
          """)
  void eachWrongWayNamesTheRightOne(String options, String remedy) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> connect(options))
        .withMessageContaining(remedy.replace("VERIFY", VERIFY))
        .withMessageContaining("The driver says: ")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1).doesNotContain("secret"))
        // Logs have the whole of it, too.
        .satisfies(e -> assertThat(ErrorText.of(e)).endsWith(String.valueOf(e.getMessage())));
  }

  @Test
  void aLogInThatTheServerRefusesIsToldAsTheServerTellsIt() {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> connect("sslMode=trust&password=wrong"))
        .withMessageContaining("Access denied for user 'app'")
        .withMessageNotContaining("The driver says");
  }

  @Test
  void aLogInByTheServersMemoryIsNamedAndMended() throws SQLException {
    connect("sslMode=trust").close();
    try (Connection remembered = connect("sslMode=disable")) {
      assertThat(new MySqlChecks(OPTIONS).run(remembered))
          .singleElement()
          .returns(Check.MYSQL_LOG_IN_REMEMBERED, Finding::check)
          .satisfies(finding -> assertThat(finding.remedy()).contains(VERIFY));
    }
    execute("flush privileges");

    assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connect("sslMode=disable"));
    String mended = "sslMode=disable&serverRsaPublicKeyFile=DATA/public_key.pem";
    try (Connection connection = connect(mended)) {
      assertThat(new MySqlChecks(OPTIONS).run(connection)).isEqualTo(List.of());
    }
  }
}

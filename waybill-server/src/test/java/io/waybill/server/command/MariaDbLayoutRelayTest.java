package io.waybill.server.command;

import io.waybill.proof.server.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
class MariaDbLayoutRelayTest extends LayoutRelayContract {
  private static MariaDbServer server;

  @BeforeAll
  static void launchDatabase() {
    server = MariaDbServer.launch();
  }

  @AfterAll
  static void closeDatabase() {
    server.close();
  }

  @Override
  Connection create(String name) throws SQLException {
    return DriverManager.getConnection(server.createDatabase(name));
  }

  /** With the URL of MySQL, as many write it for MariaDB too. */
  @Override
  String section(String name) {
    return """
    database:
      url: "jdbc:mysql://127.0.0.1:%d/%s"
      username: root
      properties: {sslMode: disable}
    """
        .formatted(server.port(), name);
  }

  @Override
  String uuid() {
    return "char(36)";
  }
}

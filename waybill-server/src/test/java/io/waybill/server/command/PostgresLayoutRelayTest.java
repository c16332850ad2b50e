package io.waybill.server.command;

import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresLayoutRelayTest extends LayoutRelayContract {
  private static PostgresServer server;

  @BeforeAll
  static void launchDatabase() {
    server = PostgresServer.launch();
  }

  @AfterAll
  static void closeDatabase() {
    server.close();
  }

  @Override
  Connection create(String name) throws SQLException {
    return DriverManager.getConnection(server.createDatabase(name));
  }

  @Override
  String section(String name) {
    return "database: {url: \"jdbc:postgresql://127.0.0.1:%d/%s\", username: postgres}\n"
        .formatted(server.port(), name);
  }

  @Override
  String uuid() {
    return "uuid";
  }
}

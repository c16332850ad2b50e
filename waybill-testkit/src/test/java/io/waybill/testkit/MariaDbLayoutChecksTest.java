package io.waybill.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

class MariaDbLayoutChecksTest extends LayoutChecksContract {
  private final MariaDbTestDatabase database = new MariaDbTestDatabase();

  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }

  @Override
  String naive() {
    return "datetime(6)";
  }

  @Override
  String ignoringCase(Connection connection) {
    return " character set utf8mb4 collate utf8mb4_general_ci";
  }

  @Override
  void createStranger(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop user if exists waybill_stranger@'%'");
      statement.execute("create user waybill_stranger@'%'");
    }
  }

  @Override
  Connection connectAsStranger(String schema) throws SQLException {
    return DriverManager.getConnection(
        database.url(schema).replace("user=root", "user=waybill_stranger"));
  }
}

package io.waybill.examples.polyshop;

import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is in the databases of a run. */
final class Rows {
  private final PostgresServer postgres;

  Rows(PostgresServer postgres) {
    this.postgres = postgres;
  }

  /** The texts that a query gives. */
  List<String> texts(String database, String sql) throws SQLException {
    try (Connection connection = postgres.dataSource(database).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  /** The numbers that a query gives, by the texts before them. */
  Map<String, Long> of(String database, String sql) throws SQLException {
    try (Connection connection = postgres.dataSource(database).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      Map<String, Long> numbers = new TreeMap<>();
      while (rows.next()) {
        numbers.put(rows.getString(1), rows.getLong(2));
      }
      return numbers;
    }
  }
}

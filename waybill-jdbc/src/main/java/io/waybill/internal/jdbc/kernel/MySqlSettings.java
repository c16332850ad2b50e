package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings that a session of MySQL or MariaDB had when it was borrowed. Immutable.
 *
 * @param isolation the JDBC driver's number of its isolation
 * @param names names of variables
 * @param values their values
 */
public record MySqlSettings(int isolation, List<String> names, List<Object> values)
    implements SessionEnd {
  public static MySqlSettings of(Connection connection, List<String> names) throws SQLException {
    List<Object> values = new ArrayList<>();
    String query =
        names.stream()
            .map(name -> "@@session." + name)
            .collect(Collectors.joining(", ", "select ", ""));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      for (int column = 1; column <= names.size(); column++) {
        values.add(row.getObject(column));
      }
    }
    return new MySqlSettings(connection.getTransactionIsolation(), names, List.copyOf(values));
  }

  @Override
  public void run(Connection connection) throws SQLException {
    connection.setTransactionIsolation(isolation);
    String back =
        names.stream().map(name -> name + " = ?").collect(Collectors.joining(", ", "set ", ""));
    try (PreparedStatement statement = connection.prepareStatement(back)) {
      for (int column = 0; column < values.size(); column++) {
        statement.setObject(column + 1, values.get(column));
      }
      statement.execute();
    }
  }
}

package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Queries of operators, on one connection.
 *
 * @param database the connection
 * @param dialect its dialect
 */
record Queries(Database database, SqlDialect dialect) {
  /** Binds the parameters of a statement. */
  interface Binder {
    /** For a statement without parameters. */
    Binder NOTHING = binding -> {};

    void bind(Binding binding) throws SQLException;
  }

  /** Makes an item of the current row. */
  interface Row<T> {
    T of(ResultSet result) throws SQLException;
  }

  <T> List<T> list(String what, String query, Binder binder, Row<T> row) {
    return database.call(
        what,
        query,
        statement -> {
          binder.bind(new Binding(statement, dialect));
          return read(statement, row);
        });
  }

  /** Changes rows; returns how many. */
  int change(String what, String statement, Binder binder) {
    return database.call(
        what,
        statement,
        (PreparedStatement prepared) -> {
          binder.bind(new Binding(prepared, dialect));
          return prepared.executeUpdate();
        });
  }

  static <T> List<T> read(PreparedStatement statement, Row<T> row) throws SQLException {
    List<T> items = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        items.add(row.of(result));
      }
    }
    return items;
  }
}

package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that a session of PostgreSQL had when it was borrowed. Whatever is set later goes
 * back to these, whichever setting it is. Immutable.
 *
 * @param names what somebody had set in this session
 * @param values its values
 */
public record PostgresSettings(List<String> names, List<String> values) implements SessionEnd {
  public static PostgresSettings of(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select name, setting from pg_settings where source = 'session'")) {
      while (rows.next()) {
        names.add(rows.getString(1));
        values.add(rows.getString(2));
      }
    }
    return new PostgresSettings(List.copyOf(names), List.copyOf(values));
  }

  @Override
  public void run(Connection connection) throws SQLException {
    try (PreparedStatement back =
        connection.prepareStatement(
            """
            select set_config(s.name, coalesce(o.value, s.reset_val), false)
            from pg_settings s
              left join unnest(cast(? as text[]), cast(? as text[])) as o (name, value)
                on o.name = s.name
            where s.source = 'session'
              and s.setting is distinct from coalesce(o.value, s.reset_val)""")) {
      back.setArray(1, connection.createArrayOf("text", names.toArray()));
      back.setArray(2, connection.createArrayOf("text", values.toArray()));
      back.execute();
    }
    try (Statement unlisten = connection.createStatement()) {
      unlisten.execute(PostgresNotify.unlisten());
    }
  }
}

package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A PostgreSQL is known by the identifier that it got when it was created and by the timeline of
 * its log, which changes when a standby takes over. Where the identifier may not be seen, the
 * database's own number stands for it, which another server may have as well.
 */
record PostgresHistory() implements ServerHistory {
  @Override
  public String read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean shown =
          text(
                  statement,
                  "select has_function_privilege('pg_catalog.pg_control_system()', 'execute')")
              .equals("t");
      return text(
          statement,
          "select %s || ', timeline ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
              .formatted(
                  shown
                      ? "(select 'system ' || system_identifier from pg_catalog.pg_control_system())"
                      : "(select 'database ' || oid from pg_catalog.pg_database"
                          + " where datname = current_database())"));
    }
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }
}

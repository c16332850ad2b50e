package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Recognises a pooler between the driver and a PostgreSQL. */
public final class PostgresPooler {
  private PostgresPooler() {}

  /**
   * The evidence for a pooler between this connection and the server: a server reports its process
   * id when a connection begins, and a pooler reports a different number.
   *
   * @param connection connection of any driver; only PostgreSQL's own driver gives the number
   * @return both numbers, for people, or null if they are equal or not known
   * @throws SQLException when the database does not answer
   */
  public static @Nullable String between(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return null;
    }
    int told = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      int actual = row.getInt(1);
      return told == actual
          ? null
          : "the connection reports process %d but runs in process %d".formatted(told, actual);
    }
  }
}

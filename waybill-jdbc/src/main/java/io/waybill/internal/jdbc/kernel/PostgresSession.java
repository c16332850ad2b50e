package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A relay's session on PostgreSQL: read committed, bounded statements, commits that wait for the
 * disk.
 *
 * @param settings further settings, as statements
 */
public record PostgresSession(String settings) implements SessionStart {
  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    return PostgresSettings.of(connection);
  }

  @Override
  public @Nullable String pooler(Connection connection) throws SQLException {
    return PostgresPooler.between(connection);
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    try (PreparedStatement name =
        connection.prepareStatement(
            """
            select set_config('application_name', ?, false),
              set_config('statement_timeout', ?, false),
              set_config('idle_in_transaction_session_timeout', ?, false),
              set_config('default_transaction_isolation', 'read committed', false),
              case when current_setting('synchronous_commit') = 'off'
                then set_config('synchronous_commit', 'on', false) end""")) {
      name.setString(1, purpose);
      name.setString(2, Long.toString(limit.toMillis()));
      name.setString(3, Long.toString(limit.toMillis()));
      name.execute();
    }
    try (Statement set = connection.createStatement()) {
      set.execute(settings);
    }
  }
}

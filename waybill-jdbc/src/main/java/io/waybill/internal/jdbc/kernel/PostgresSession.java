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
  private static final String WRITER =
      """
      set enable_seqscan = off;
      set max_parallel_workers_per_gather = 0;
      set jit = off;
      set plan_cache_mode = force_generic_plan;
      set lock_timeout = '5s'""";

  /** Of operators. */
  static PostgresSession operator() {
    return new PostgresSession(
        """
        set plan_cache_mode = force_custom_plan;
        set max_parallel_workers_per_gather = 0;
        set jit = off;
        set lock_timeout = '5s';
        set time zone 'UTC'""");
  }

  /**
   * Of the reader of a table of any layout. Statistics of a table that fills and empties are always
   * wrong: plans follow the indexes.
   */
  static PostgresSession reader() {
    return new PostgresSession(
        """
        set enable_seqscan = off;
        set enable_bitmapscan = off;
        set enable_hashjoin = off;
        set enable_mergejoin = off;
        set max_parallel_workers_per_gather = 0;
        set jit = off;
        set plan_cache_mode = force_generic_plan;
        set work_mem = '16MB';
        set time zone 'UTC'""");
  }

  /** Of what writes to a table of any layout. */
  static PostgresSession writer() {
    return new PostgresSession(WRITER + ";\nset time zone 'UTC'");
  }

  /** Of the reader by windows of commits; no plan may depend on statistics there, either. */
  public static PostgresSession windowReader() {
    return new PostgresSession(
        """
        set enable_seqscan = off;
        set enable_bitmapscan = off;
        set enable_hashjoin = off;
        set max_parallel_workers_per_gather = 0;
        set jit = off;
        set plan_cache_mode = force_generic_plan;
        set work_mem = '16MB'""");
  }

  /** Of what settles rows that were read by windows of commits. */
  public static PostgresSession windowWriter() {
    return new PostgresSession(WRITER);
  }

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
    configure(
        connection,
        purpose,
        limit,
        "set_config('default_transaction_isolation', 'read committed', false)");
    try (Statement set = connection.createStatement()) {
      set.execute(settings);
    }
  }

  /**
   * Names a session, bounds its statements and rests, and has its commits wait for the disk.
   *
   * @param connection fresh connection
   * @param purpose its name, for people
   * @param limit bound of a statement, and of a transaction that rests
   * @param more further settings, as expressions
   * @throws SQLException when the database refuses
   */
  public static void configure(Connection connection, String purpose, Duration limit, String more)
      throws SQLException {
    try (PreparedStatement name =
        connection.prepareStatement(
            """
            select set_config('application_name', ?, false),
              set_config('statement_timeout', ?, false),
              set_config('idle_in_transaction_session_timeout', ?, false),
              ${more},
              case when current_setting('synchronous_commit') = 'off'
                then set_config('synchronous_commit', 'on', false) end"""
                .replace("${more}", more))) {
      name.setString(1, purpose);
      name.setString(2, Long.toString(limit.toMillis()));
      name.setString(3, Long.toString(limit.toMillis()));
      name.execute();
    }
  }
}

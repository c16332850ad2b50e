package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * A session that handlers share: READ COMMITTED, bounded, without other effects on their
 * statements. It tells whether a transaction has ended although nobody committed or rolled back.
 */
public sealed interface InboxSession extends SessionStart
    permits PostgresInboxSession, MySqlInboxSession {
  /** These can't end a transaction, and neither can the functions and triggers that they call. */
  Set<String> DATA =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "WITH", "VALUES");

  /**
   * The sessions of a database.
   *
   * @param dialect the database's dialect
   * @return the start to run on a fresh connection
   */
  static InboxSession of(SqlDialect dialect) {
    return switch (dialect.kind()) {
      case POSTGRESQL -> new PostgresInboxSession();
      case MYSQL -> new MySqlInboxSession(false);
      case MARIADB -> new MySqlInboxSession(true);
    };
  }

  /**
   * Marks the transaction before a handler gets its connection, where the server can't report the
   * end of a transaction otherwise.
   *
   * @param connection the connection
   * @throws SQLException if the database does not answer
   */
  void guard(Connection connection) throws SQLException;

  /**
   * Whether the transaction that began with the claim has ended, although its commit would not
   * report that. Called once, before the commit.
   *
   * @param connection the connection
   * @param guarded whether {@link #guard} was called
   * @return whether the current transaction is a different one, or can only be rolled back
   * @throws SQLException if the database does not answer
   */
  boolean isAborted(Connection connection, boolean guarded) throws SQLException;

  /** SQLState of a transaction that {@link #isAborted}. */
  String abortedState();

  /**
   * Marks the transaction again, after {@link #guard}, for {@link #hasEnded}.
   *
   * @param connection the connection
   * @return the mark
   * @throws SQLException if the database does not answer
   */
  String mark(Connection connection) throws SQLException;

  /**
   * Whether a marked transaction has ended and another one has begun. It must then be marked again.
   *
   * @param connection the connection
   * @param mark result of {@link #mark}
   * @return whether the current transaction is a different one
   * @throws SQLException if the database does not answer
   */
  boolean hasEnded(Connection connection, String mark) throws SQLException;

  /**
   * Whether a statement may end the transaction, itself or through the procedures that it calls. A
   * statement may, unless it is known to be safe.
   *
   * @param text the statement
   * @return false only if it can't end it
   */
  default boolean mayEnd(String text) {
    String word = FirstWord.of(text);
    return FirstWord.isOneOfSeveral(text) || !(DATA.contains(word) || leavesAlone(word));
  }

  /** Whether no statement that begins with this word, beside those on data, ends a transaction. */
  boolean leavesAlone(String word);

  /**
   * Whether some statements, for example those that define tables, commit the work before them.
   *
   * @return false if only commit and rollback end a transaction
   */
  boolean commitsImplicitly();

  /**
   * Ends an auto-commit mode that a statement of a handler may have begun unnoticed by the driver.
   * Otherwise, the next transaction on the connection would not be one.
   *
   * @param connection the connection
   * @throws SQLException if the database does not answer
   */
  void leaveAutoCommit(Connection connection) throws SQLException;
}

package io.waybill.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Provides transactions that a framework manages, in place of an inbox's own: all work in the
 * framework's transaction commits with the inbox. Thread-safe.
 */
@FunctionalInterface
public interface TransactionSource {
  /**
   * Begins a READ COMMITTED transaction, which the calling thread uses and ends.
   *
   * @return the transaction
   * @throws SQLException when the database refuses or does not answer in time
   */
  Managed begin() throws SQLException;

  /** A transaction of the framework. */
  interface Managed {
    /**
     * The connection of the transaction, never in auto-commit mode.
     *
     * @return the connection
     */
    Connection connection();

    /**
     * Commits and ends.
     *
     * @throws SQLException when it fails and the outcome is unknown
     * @throws io.waybill.store.RefusedCommitException if the transaction has been rolled back
     *     instead
     */
    void commit() throws SQLException;

    /** Rolls back and ends, unless it has ended. Never throws. */
    void rollback();
  }
}

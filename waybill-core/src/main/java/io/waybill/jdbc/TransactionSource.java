package io.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Transactions that a framework manages, in place of an inbox's own: whatever takes part in the
 * framework's transaction commits with the inbox. Thread-safe.
 */
@FunctionalInterface
public interface TransactionSource {
  /**
   * Begins a transaction, READ COMMITTED, which the calling thread uses and ends.
   *
   * @return the transaction
   * @throws SQLException when the database refuses or does not answer in time
   */
  Managed begin() throws SQLException;

  /** A transaction of the framework. */
  interface Managed {
    /**
     * Its connection, never in auto-commit mode.
     *
     * @return the connection
     */
    Connection connection();

    /**
     * Commits and ends.
     *
     * @throws SQLException when it fails and nobody knows whether it happened
     * @throws io.waybill.store.RefusedCommitException if it has been rolled back instead
     */
    void commit() throws SQLException;

    /** Rolls back and ends, unless it has ended. Never throws. */
    void rollback();
  }
}

package io.waybill.internal.store;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;

/**
 * Recognises database errors that may pass without anything being fixed. Waybill's own statements
 * and those of handlers share this list: an error that stops the inbox for a moment must not cause
 * a dead letter when a handler meets it first. Errors are judged by class, SQLState and vendor
 * code, never by their text. Thread-safe.
 *
 * <p>Sources: PostgreSQL's documentation, appendix "PostgreSQL Error Codes"; MySQL's "Server Error
 * Message Reference"; MariaDB's "MariaDB Error Codes"; ProxySQL's error codes. The list does not
 * contain missing tables, columns and functions (42P01, 42703, 42883; 1146, 1054, 1305): waiting
 * fixes neither a deployment that precedes its migration nor a misspelt name.
 */
public final class TemporaryErrors {
  // Connections, transactions rolled back, resources that are used up (disk, memory, connections),
  // operators (shutdown, failover, cancelled statements), input and output.
  private static final Set<String> CLASSES = Set.of("08", "40", "53", "57", "58");
  // A constraint that is checked at the commit.
  private static final String INTEGRITY_AT_COMMIT = "40002";

  private static final Set<String> STATES =
      Set.of(
          // Switch-over: read-only, not in the state for it (in recovery).
          "25006",
          "55000",
          // Time limits of a transaction that rests, and of a whole one.
          "25P03",
          "25P04",
          // Locks that nobody waits for any longer, objects in use.
          "55P03",
          "55006",
          // Migration: a cached plan that outlived its table; the state is shared with what the
          // server never does.
          "0A000",
          // Statements that a pooler has left with another server: missing, there already.
          "26000",
          "42P05",
          // MySQL and MariaDB: killed, interrupted, past the statement's limit.
          "70100");

  // MySQL and MariaDB give these a general SQLState, or one that says less.
  private static final Set<Integer> CODES =
      Set.of(
          // Locks: changed since the snapshot, lock wait, lock table full, deadlock, the same of
          // XA,
          // no wait (MySQL).
          1020,
          1205,
          1206,
          1213,
          1613,
          1614,
          3572,
          // Switch-over: read-only by option, by mode, by transaction, InnoDB's; offline; shutdown;
          // a commit that replication refuses.
          1290,
          1836,
          1792,
          1874,
          3032,
          1053,
          1180,
          3100,
          // Galera: not ready; ProxySQL: no server behind it in time.
          1047,
          9001,
          // Killed, and past a statement's limit, of MariaDB and of MySQL.
          1317,
          1927,
          1969,
          3024,
          3169,
          // Ended after wait_timeout, which MySQL says from 8.0.24 on before it closes.
          4031,
          // Disk full, tables full, errors of files and of the storage engine.
          3,
          1021,
          1026,
          1030,
          1114,
          1878,
          3675,
          // Memory.
          1037,
          1038,
          1041,
          // Too many connections, and of one user; too many transactions.
          1040,
          1203,
          1226,
          1637,
          // Migration: the table's definition has changed, statements to be prepared anew.
          1412,
          1615,
          1243);
  private static final int DEEPEST = 20;

  private TemporaryErrors() {}

  /**
   * Whether trying again can help.
   *
   * @param failure the driver's exception, with its causes and chained exceptions
   * @return true if one of them is on the list
   */
  public static boolean isTemporary(SQLException failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof SQLException sql && saysTemporary(sql)) {
        return true;
      }
      SQLException next = cause instanceof SQLException sql ? sql.getNextException() : null;
      cause = next == null ? cause.getCause() : next;
    }
    return false;
  }

  private static boolean saysTemporary(SQLException e) {
    if (e instanceof SQLTransientException || e instanceof SQLRecoverableException) {
      return true;
    }
    String state = e.getSQLState();
    if (state == null || state.equals(INTEGRITY_AT_COMMIT)) {
      return false;
    }
    return STATES.contains(state)
        || CODES.contains(e.getErrorCode())
        || (state.length() > 1 && CLASSES.contains(state.substring(0, 2)));
  }
}

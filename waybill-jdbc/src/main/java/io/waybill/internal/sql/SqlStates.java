package io.waybill.internal.sql;

import io.waybill.internal.store.TemporaryErrors;
import java.sql.SQLException;
import java.util.Set;

/** What kind of failure a SQLState or a vendor's code stands for. */
public final class SqlStates {
  /** PostgreSQL: an error has ended the transaction, which can only be rolled back. */
  public static final String IN_FAILED_TRANSACTION = "25P02";

  /** SQL standard: the transaction lost against another one. A temporary error. */
  public static final String SERIALIZATION_FAILURE = "40001";

  // Data exceptions, and limits that only large values reach.
  private static final Set<String> DATA_CLASSES = Set.of("22", "54");

  // MySQL and MariaDB, which give these errors the SQLState of a lost connection, or a general one:
  // row too large, text that the column's character set does not have. Packets: PacketErrors.
  private static final Set<Integer> DATA_CODES = Set.of(1118, 1366);

  // Lock not available; lock wait, and a lock that nobody waits for.
  private static final Set<String> LOCKED_STATES = Set.of("55P03");
  private static final Set<Integer> LOCKED_CODES = Set.of(1205, 3572);

  // What a constraint, a trigger or a generated value says to one row: data exceptions, integrity,
  // errors that functions raise (PL/pgSQL, SQL/PSM).
  private static final Set<String> ROW_CLASSES = Set.of("22", "23", "44", "45", "P0");
  private static final Set<Integer> ROW_CODES = Set.of(1366, 1644, 3819, 4025);

  private SqlStates() {}

  /** Whether somebody else holds a lock on what was to be changed. */
  public static boolean isLocked(SQLException e) {
    return LOCKED_STATES.contains(String.valueOf(e.getSQLState()))
        || LOCKED_CODES.contains(e.getErrorCode());
  }

  /** Whether one of the rows that were to be changed is why nothing was. */
  public static boolean isRefusedChange(SQLException e) {
    String state = e.getSQLState();
    return (state != null && state.length() == 5 && ROW_CLASSES.contains(state.substring(0, 2)))
        || ROW_CODES.contains(e.getErrorCode());
  }

  /**
   * Whether the values of the statement are refused, while the same statement with others may go
   * well. Not so for constraints, privileges, missing tables and columns: those are nobody's own.
   */
  public static boolean isRefusedData(SQLException e) {
    String state = e.getSQLState();
    return (state != null && state.length() == 5 && DATA_CLASSES.contains(state.substring(0, 2)))
        || DATA_CODES.contains(e.getErrorCode())
        || PacketErrors.isTooLarge(e);
  }

  public static boolean isConnectionLost(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith("08");
  }

  /** Of what says nothing: the store's statements are sound, so it is the way to the server. */
  public static boolean isTransient(SQLException e) {
    String state = e.getSQLState();
    return state == null || state.length() < 5 || TemporaryErrors.isTemporary(e);
  }
}

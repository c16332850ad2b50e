package io.waybill.internal.jdbc.operator;

import java.sql.SQLException;
import java.util.Set;

/** The database user lacks a right that is granted apart. */
public final class MissingGrantException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Set<Integer> DENIED = Set.of(1142, 1143);

  MissingGrantException(String right, String table, String option) {
    super(
        "the database user must have %s of %s: schema print %s ROLE prints the grants"
            .formatted(right, table, option));
  }

  /** Whether the database says that a right is missing; MySQL and MariaDB have numbers. */
  static boolean isDenied(SQLException e) {
    return "42501".equals(e.getSQLState()) || DENIED.contains(e.getErrorCode());
  }
}

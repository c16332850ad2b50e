package io.waybill.internal.jdbc.kernel;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What errors of PostgreSQL say. */
public final class PostgresErrors {
  private static final String UNIQUE_VIOLATION = "23505";

  private PostgresErrors() {}

  static String names(SQLException failure) {
    ServerErrorMessage message =
        failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    return message == null
        ? ""
        : named("constraint", message.getConstraint())
            + named("table", message.getTable())
            + named("column", message.getColumn());
  }

  private static String named(String what, @Nullable String name) {
    return name == null ? "" : ", " + what + " " + name;
  }

  /**
   * The detail shows the key as {@code (column)=(value)}, whatever the server's language; writers
   * without the right to read the table don't get it.
   */
  public static @Nullable UniqueViolation uniqueViolation(SQLException failure) {
    if (!UNIQUE_VIOLATION.equals(failure.getSQLState())) {
      return null;
    }
    ServerErrorMessage message =
        failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    String constraint = message == null ? null : message.getConstraint();
    return message == null || constraint == null
        ? null
        : new UniqueViolation(constraint, entry(message.getDetail()));
  }

  private static @Nullable String entry(@Nullable String detail) {
    if (detail == null) {
      return null;
    }
    int start = detail.indexOf(")=(");
    int end = detail.lastIndexOf(')');
    // A CHAR comes with the blanks that pad it.
    return start < 0 || end < start + 3 ? null : detail.substring(start + 3, end).stripTrailing();
  }
}

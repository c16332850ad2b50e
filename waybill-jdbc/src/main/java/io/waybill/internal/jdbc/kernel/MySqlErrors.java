package io.waybill.internal.jdbc.kernel;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What errors of MySQL and MariaDB say. */
public final class MySqlErrors {
  private static final int DUPLICATE_ENTRY = 1062;

  private MySqlErrors() {}

  static String names(SQLException failure) {
    UniqueViolation violation = uniqueViolation(failure);
    return violation == null ? "" : ", constraint " + violation.key();
  }

  /**
   * The code tells duplicates; which key was violated and by what is only in the message, as its
   * two quoted parts, whatever the server's language. The key's name is the server's own and the
   * last of them, so no value can pass for it. A query could not tell more surely: the writer may
   * lack the right to it, and its snapshot the row.
   */
  public static @Nullable UniqueViolation uniqueViolation(SQLException failure) {
    String message = failure.getMessage();
    if (failure.getErrorCode() != DUPLICATE_ENTRY || message == null) {
      return null;
    }
    int end = message.lastIndexOf('\'');
    int start = message.lastIndexOf('\'', end - 1);
    if (start <= 0 || message.lastIndexOf('\'', start - 1) <= message.indexOf('\'')) {
      return null;
    }
    // MySQL puts the table in front.
    String violated = message.substring(start + 1, end);
    String key = violated.substring(violated.lastIndexOf('.') + 1);
    String entry =
        message.substring(message.indexOf('\'') + 1, message.lastIndexOf('\'', start - 1));
    return new UniqueViolation(key, entry);
  }
}

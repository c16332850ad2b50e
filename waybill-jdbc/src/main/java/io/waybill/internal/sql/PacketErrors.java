package io.waybill.internal.sql;

import java.sql.SQLException;
import java.util.Set;

/** Recognises statements that are larger than MySQL and MariaDB accept. Thread-safe. */
public final class PacketErrors {
  // The servers' own, under the SQLState of a lost connection.
  private static final int PACKET_TOO_LARGE = 1153;

  // Drivers that look before they send: the cause, or what they throw.
  private static final Set<String> TOO_LARGE =
      Set.of(
          "org.mariadb.jdbc.export.MaxAllowedPacketException",
          "com.mysql.cj.jdbc.exceptions.PacketTooBigException");
  private static final int DEEPEST = 10;

  private PacketErrors() {}

  /**
   * Whether a statement was refused for its size, by the server or by its driver.
   *
   * @param failure the driver's exception
   * @return whether the exception or one of its causes says so
   */
  public static boolean isTooLarge(SQLException failure) {
    if (failure.getErrorCode() == PACKET_TOO_LARGE) {
      return true;
    }
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (TOO_LARGE.contains(cause.getClass().getName())) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}

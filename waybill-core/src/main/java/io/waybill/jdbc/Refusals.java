package io.waybill.jdbc;

import io.waybill.store.RefusedChangeException;
import io.waybill.store.StoreException;
import java.sql.SQLException;

/** Tells what the database refuses because of a row from what it refuses for other reasons. */
final class Refusals {
  private static final int MOST_CHARS = 500;

  private Refusals() {}

  /** The failure of a settlement as what it is. */
  static StoreException of(StoreException failure) {
    if (failure.getCause() instanceof SQLException cause
        && (SqlStates.isLocked(cause) || SqlStates.isRefusedChange(cause))) {
      return new RefusedChangeException(
          String.valueOf(failure.getMessage()), cause, SqlStates.isLocked(cause), reason(cause));
    }
    return failure;
  }

  /** What follows the first line shows the row. */
  private static String reason(SQLException cause) {
    String said = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    String state = " (" + cause.getSQLState() + ")";
    return (said.length() > MOST_CHARS ? said.substring(0, MOST_CHARS) : said) + state;
  }
}

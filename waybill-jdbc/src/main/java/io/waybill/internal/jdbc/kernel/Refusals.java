package io.waybill.internal.jdbc.kernel;

import io.waybill.internal.sql.SqlStates;
import io.waybill.internal.store.ErrorText;
import io.waybill.store.RefusedChangeException;
import io.waybill.store.StoreException;
import java.sql.SQLException;

/** Tells what the database refuses because of a row from what it refuses for other reasons. */
public final class Refusals {
  private Refusals() {}

  /** The failure of a settlement as what it is. */
  public static StoreException of(StoreException failure, SqlDialect dialect) {
    if (failure.getCause() instanceof SQLException cause
        && (SqlStates.isLocked(cause) || SqlStates.isRefusedChange(cause))) {
      return new RefusedChangeException(
          String.valueOf(failure.getMessage()),
          cause,
          SqlStates.isLocked(cause),
          ErrorText.of(cause, own -> false, dialect::names));
    }
    return failure;
  }
}

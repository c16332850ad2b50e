package io.waybill.store;

import org.jspecify.annotations.Nullable;

/** The database refused or did not answer in time. The transaction's outcome may be unknown. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean transientFailure;

  /**
   * Wraps a failure.
   *
   * @param message the failed action, without data
   * @param cause the driver's exception, null if there is none
   * @param transientFailure whether trying again later can help: lost connection, deadlock, restart
   */
  public StoreException(String message, @Nullable Throwable cause, boolean transientFailure) {
    super(message, cause);
    this.transientFailure = transientFailure;
  }

  /**
   * Whether trying again can help without anything being fixed.
   *
   * @return true for lost connections, deadlocks, restarts; false for a missing table or privilege
   */
  public boolean isTransient() {
    return transientFailure;
  }
}

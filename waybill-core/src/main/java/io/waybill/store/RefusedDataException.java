package io.waybill.store;

/**
 * The database, or its driver, refuses the values of one statement: one is too long, out of range,
 * or larger than what it takes at once. The same statement with other values may go well, and the
 * database is not to blame; the transaction is over.
 */
public final class RefusedDataException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps a refusal.
   *
   * @param message what was tried, with no data in it
   * @param cause the driver's exception
   */
  public RefusedDataException(String message, Throwable cause) {
    super(message, cause, false);
  }
}

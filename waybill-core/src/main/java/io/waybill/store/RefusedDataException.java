package io.waybill.store;

/**
 * The database, or its driver, refuses the values of one statement: a value is too long, out of
 * range, or larger than it accepts in one statement. The same statement with other values may
 * succeed, and the database is not at fault. The transaction has ended.
 */
public final class RefusedDataException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps a refusal.
   *
   * @param message the failed action, without data
   * @param cause the driver's exception
   */
  public RefusedDataException(String message, Throwable cause) {
    super(message, cause, false);
  }
}

package io.waybill.store;

/**
 * The database refuses a settlement because of one of its rows: a constraint, a trigger, a lock
 * held by another session. Nothing was changed, and the settlement would succeed without that row.
 */
public final class RefusedChangeException extends StoreException {
  private static final long serialVersionUID = 1L;
  private final boolean locked;
  private final String reason;

  /**
   * Wraps a refusal.
   *
   * @param message the failed action, without data
   * @param cause the driver's exception
   * @param locked whether another session holds a lock, in which case trying again can help
   * @param reason the database's reason, one sentence for an operator
   */
  public RefusedChangeException(String message, Throwable cause, boolean locked, String reason) {
    super(message, cause, locked);
    this.locked = locked;
    this.reason = reason;
  }

  /**
   * Whether another session holds a lock on the row.
   *
   * @return true if trying again can help
   */
  public boolean isLocked() {
    return locked;
  }

  /**
   * The database's reason.
   *
   * @return one sentence for an operator
   */
  public String reason() {
    return reason;
  }
}

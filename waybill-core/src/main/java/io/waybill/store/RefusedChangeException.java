package io.waybill.store;

/**
 * The database refuses a settlement for a reason of one of its rows: a constraint, a trigger, a
 * lock that somebody holds. Nothing was changed, and the same without that row would go well.
 */
public final class RefusedChangeException extends StoreException {
  private static final long serialVersionUID = 1L;
  private final boolean locked;
  private final String reason;

  /**
   * Wraps a refusal.
   *
   * @param message what was tried, with no data in it
   * @param cause the driver's exception
   * @param locked whether somebody holds a lock, so that trying again can help
   * @param reason what the database says, one sentence for an operator
   */
  public RefusedChangeException(String message, Throwable cause, boolean locked, String reason) {
    super(message, cause, locked);
    this.locked = locked;
    this.reason = reason;
  }

  /**
   * Whether somebody holds a lock on the row.
   *
   * @return true if trying again can help
   */
  public boolean isLocked() {
    return locked;
  }

  /**
   * What the database says.
   *
   * @return one sentence for an operator
   */
  public String reason() {
    return reason;
  }
}

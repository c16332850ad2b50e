package io.waybill.store;

/**
 * A handler's changes can't be committed, and the transaction has been rolled back instead: the
 * handler's failure, not the database's.
 */
public class RefusedCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps the refusal.
   *
   * @param cause why it can't be committed
   */
  public RefusedCommitException(Throwable cause) {
    super("The effect of a handler can't be committed", cause);
  }
}

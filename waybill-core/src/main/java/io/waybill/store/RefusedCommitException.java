package io.waybill.store;

/**
 * What a handler did can't be committed, and the transaction has been rolled back in place of it:
 * the handler's failure, not the database's.
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

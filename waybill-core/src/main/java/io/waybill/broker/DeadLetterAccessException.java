package io.waybill.broker;

/**
 * Dead letters can't be read: the broker does not answer, refuses, or has no such topic or queue.
 */
public final class DeadLetterAccessException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong.
   *
   * @param message names the topic or queue and the reason
   * @param cause what the client said
   */
  public DeadLetterAccessException(String message, Throwable cause) {
    super(message, cause);
  }
}

package io.waybill.broker;

/**
 * Dead letters can't be read: the broker does not answer, refuses, or has no such topic or queue.
 */
public final class DeadLetterAccessException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean missing;

  /**
   * Creates the exception.
   *
   * @param message names the topic or queue and the reason
   * @param missing whether the broker has no such topic or queue
   * @param cause the client's exception
   */
  public DeadLetterAccessException(String message, boolean missing, Throwable cause) {
    super(message, cause);
    this.missing = missing;
  }

  /**
   * Whether there is nothing to read, although the broker answers.
   *
   * @return true if the topic or queue does not exist
   */
  public boolean isMissing() {
    return missing;
  }
}

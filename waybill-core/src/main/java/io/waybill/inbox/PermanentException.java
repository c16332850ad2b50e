package io.waybill.inbox;

/**
 * Thrown by a handler to say that trying again is of no use: the event is dead-lettered at once.
 */
public class PermanentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says why.
   *
   * @param message what is wrong with the event, without payload
   */
  public PermanentException(String message) {
    super(message);
  }

  /**
   * Says why.
   *
   * @param message what is wrong with the event, without payload
   * @param cause the failure
   */
  public PermanentException(String message, Throwable cause) {
    super(message, cause);
  }
}

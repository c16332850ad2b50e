package io.waybill.handler;

/**
 * Thrown by a handler to say that trying again can't help: the event is dead-lettered immediately.
 */
public class PermanentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is wrong with the event, without payload
   */
  public PermanentException(String message) {
    super(message);
  }

  /**
   * Creates the exception.
   *
   * @param message what is wrong with the event, without payload
   * @param cause the failure
   */
  public PermanentException(String message, Throwable cause) {
    super(message, cause);
  }
}

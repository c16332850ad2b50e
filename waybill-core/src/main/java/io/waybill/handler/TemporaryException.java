package io.waybill.handler;

/** Thrown by a handler to say that trying again later can help. */
public class TemporaryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what failed, without payload
   */
  public TemporaryException(String message) {
    super(message);
  }

  /**
   * Creates the exception.
   *
   * @param message what failed, without payload
   * @param cause the failure
   */
  public TemporaryException(String message, Throwable cause) {
    super(message, cause);
  }
}

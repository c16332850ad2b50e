package io.waybill.examples.polyshop;

/** A program that the example needs is not installed; the message names its package. */
final class MissingToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingToolException(String message) {
    super(message);
  }
}

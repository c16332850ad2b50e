package io.waybill.examples.polyglot;

/** A program that the example needs is not installed; the message names its package. */
final class MissingToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingToolException(String message) {
    super(message);
  }
}

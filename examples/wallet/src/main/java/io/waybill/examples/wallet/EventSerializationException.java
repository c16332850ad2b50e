package io.waybill.examples.wallet;

/** An event has no JSON. Whoever gets this rolls the transaction back. */
final class EventSerializationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EventSerializationException(String type, Throwable cause) {
    super("Event " + type + " cannot be written as JSON", cause);
  }
}

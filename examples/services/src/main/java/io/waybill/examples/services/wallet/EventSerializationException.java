package io.waybill.examples.services.wallet;

/** An event has no JSON; its transaction is rolled back. */
class EventSerializationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EventSerializationException(String type, Throwable cause) {
    super("Event " + type + " cannot be written as JSON", cause);
  }
}

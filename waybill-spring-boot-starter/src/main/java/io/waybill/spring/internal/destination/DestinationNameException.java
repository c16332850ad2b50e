package io.waybill.spring.internal.destination;

/** A name leads to no destination of the routes, or not to one alone. */
public final class DestinationNameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DestinationNameException(String message) {
    super(message);
  }
}

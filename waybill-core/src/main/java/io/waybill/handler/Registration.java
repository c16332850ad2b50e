package io.waybill.handler;

import java.util.Objects;

/**
 * A handler, and the events that it is for.
 *
 * @param type exact event type
 * @param version version of the type, or {@link #ANY_VERSION}
 * @param batch most events per call, at least 1
 * @param handler the handler, called with one event if {@code batch} is 1
 */
public record Registration(String type, int version, int batch, BatchHandler handler) {
  /** Stands for all versions that have no specific handler. */
  public static final int ANY_VERSION = -1;

  /** Largest batch. */
  public static final int MAX_BATCH = 1_000;

  /** Checks the values. */
  public Registration {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(handler, "handler");
    if (batch < 1 || batch > MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch of the handler for " + type + " must be from 1 to " + MAX_BATCH + ", is " + batch);
    }
  }
}

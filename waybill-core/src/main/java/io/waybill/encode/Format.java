package io.waybill.encode;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How an event becomes a message body. The payload is embedded unchanged, never re-serialised. A
 * null payload becomes a null body in every format, and so works as a tombstone. The event's other
 * data is in the headers, which every format has.
 */
public enum Format {
  /** The payload alone. */
  RAW,
  /**
   * JSON with {@code event_id, event_type, aggregate_type, aggregate_id, payload}; an aggregate id
   * that is a whole number is a JSON number. The payload must be JSON.
   */
  GENERIC,
  /**
   * JSON with {@code eventId, timestamp, eventType, version, source, data, metadata}; metadata has
   * the known values of {@code traceId, correlationId, idempotencyKey, userId}. The payload must be
   * JSON.
   */
  ENVELOPE,
  /** CloudEvents 1.0 as one JSON text; a payload that is not JSON is embedded as base64. */
  CLOUDEVENTS,
  /** The payload alone, with the attributes of CloudEvents 1.0 as headers. */
  CLOUDEVENTS_BINARY;

  /**
   * The name in configuration: {@code raw}, {@code generic}, {@code envelope}, {@code cloudevents},
   * {@code cloudevents-binary}.
   *
   * @return name in lower case
   */
  public String configName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Finds a format by the name in configuration.
   *
   * @param name exact name
   * @return the format
   * @throws IllegalArgumentException if there is none; the message names the existing formats
   */
  public static Format named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.configName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format must be one of "
                        + Arrays.stream(values())
                            .map(Format::configName)
                            .collect(Collectors.joining(", "))
                        + ", is "
                        + name));
  }
}

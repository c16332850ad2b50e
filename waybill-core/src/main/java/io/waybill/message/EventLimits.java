package io.waybill.message;

import java.util.List;

/**
 * The limits of an event. They are checked before the insert: an event that no broker would accept
 * is refused inside the business transaction. Immutable and thread-safe.
 *
 * <p>Fixed: ids are 1 to 128 of {@code A-Z a-z 0-9 . _ : -}; type, aggregate type, aggregate id,
 * correlation and causation id are 1 to 255 bytes of well-formed Unicode without control
 * characters; the version is at least 1; {@code traceparent} has the form of W3C Trace Context;
 * {@code availableAt} is in the years 1 to 9999. Header names are 1 to 128 characters of {@code A-Z
 * a-z 0-9 ! # $ % & ' * + - . ^ _ ` | ~ : /}, each at most once, and none that brokers, frameworks
 * or Waybill interpret. Header values are well-formed Unicode without control characters. {@code
 * tracestate} counts as a header and has its own rules, see {@link TraceContext}.
 *
 * @param maxPayloadBytes largest payload, 1,000,000 by default: with all headers it stays below
 *     Kafka's 1 MiB per request
 * @param maxHeaders most headers, 100 by default
 * @param maxHeaderValueBytes longest header value in UTF-8, 8,192 by default
 * @param maxHeadersBytes longest sum of header names and values in UTF-8, 32,768 by default:
 *     RabbitMQ sends headers in one frame of 131,072 bytes
 * @param jsonChecked whether a payload with a JSON content type must be well-formed JSON; off by
 *     default. Switch it on where the relay embeds payloads ({@code generic}, {@code envelope},
 *     {@code cloudevents})
 */
public record EventLimits(
    int maxPayloadBytes,
    int maxHeaders,
    int maxHeaderValueBytes,
    int maxHeadersBytes,
    boolean jsonChecked) {
  /** Longest event id, in characters. */
  public static final int MAX_ID_LENGTH = 128;

  /** Longest type, aggregate type, aggregate id, correlation and causation id, in UTF-8 bytes. */
  public static final int MAX_NAME_BYTES = 255;

  /** Longest header name, in characters. */
  public static final int MAX_HEADER_NAME_LENGTH = 128;

  /** Checks the ranges. */
  public EventLimits {
    // A bytea value can't exceed 1 GB, and doubles on its way to a text protocol.
    range("maxPayloadBytes", maxPayloadBytes, 0, 256 << 20);
    range("maxHeaders", maxHeaders, 0, 10_000);
    range("maxHeaderValueBytes", maxHeaderValueBytes, 0, 1 << 20);
    range("maxHeadersBytes", maxHeadersBytes, 0, 1 << 20);
  }

  /**
   * The default limits.
   *
   * @return limits that suit a Kafka and a RabbitMQ broker with default settings
   */
  public static EventLimits ofDefaults() {
    return builder().build();
  }

  /**
   * Starts a builder with the defaults.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Checks an event against all rules.
   *
   * @param event the event
   * @throws InvalidEventException naming each field, rule and value that is wrong
   */
  public void check(Event event) {
    List<Violation> violations = violations(event);
    if (!violations.isEmpty()) {
      throw new InvalidEventException(event.id(), violations);
    }
  }

  /**
   * Finds the rules that an event breaks.
   *
   * @param event the event
   * @return the broken rules, none if it may be appended
   */
  public List<Violation> violations(Event event) {
    Violations found = new Violations();
    new EventRules(this, found).check(event);
    new HeaderRules(this, found).check(event.headers());
    return found.list();
  }

  /**
   * Finds the rules that headers break, for rows that were not appended through the API.
   *
   * @param headers headers
   * @return the broken rules
   */
  public List<Violation> violations(Headers headers) {
    if (headers.isEmpty()) {
      return List.of();
    }
    Violations found = new Violations();
    new HeaderRules(this, found).check(headers);
    return found.list();
  }

  /**
   * Finds the rules that a single header breaks, for headers that configuration adds.
   *
   * @param header the header
   * @return the broken rules
   */
  public static List<Violation> violations(Header header) {
    if (header.name().equals(TraceContext.TRACESTATE)) {
      Violations found = new Violations();
      found.add("header name", "must not be a header of the event itself", header.name());
      return found.list();
    }
    return ofDefaults().violations(new Headers(List.of(header)));
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
  }

  /** Collects limits; not thread-safe. */
  public static final class Builder {
    private int maxPayloadBytes = 1_000_000;
    private int maxHeaders = 100;
    private int maxHeaderValueBytes = 8_192;
    private int maxHeadersBytes = 32_768;
    private boolean jsonChecked;

    private Builder() {}

    /**
     * Sets the largest payload.
     *
     * @param bytes from 0 to 256 MiB; leave room for headers below the broker's own limit
     * @return this builder
     */
    public Builder maxPayloadBytes(int bytes) {
      maxPayloadBytes = bytes;
      return this;
    }

    /**
     * Sets the largest number of headers.
     *
     * @param count from 0 to 10,000
     * @return this builder
     */
    public Builder maxHeaders(int count) {
      maxHeaders = count;
      return this;
    }

    /**
     * Sets the longest header value.
     *
     * @param bytes from 0 to 1 MiB
     * @return this builder
     */
    public Builder maxHeaderValueBytes(int bytes) {
      maxHeaderValueBytes = bytes;
      return this;
    }

    /**
     * Sets the largest total size of header names and values.
     *
     * @param bytes from 0 to 1 MiB
     * @return this builder
     */
    public Builder maxHeadersBytes(int bytes) {
      maxHeadersBytes = bytes;
      return this;
    }

    /**
     * Sets whether JSON payloads must be well-formed.
     *
     * @param checked true to parse each JSON payload once before the insert
     * @return this builder
     */
    public Builder jsonChecked(boolean checked) {
      jsonChecked = checked;
      return this;
    }

    /**
     * Checks and builds.
     *
     * @return the limits
     * @throws IllegalArgumentException if a value is out of range
     */
    public EventLimits build() {
      return new EventLimits(
          maxPayloadBytes, maxHeaders, maxHeaderValueBytes, maxHeadersBytes, jsonChecked);
    }
  }
}

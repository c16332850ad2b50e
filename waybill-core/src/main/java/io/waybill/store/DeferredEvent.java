package io.waybill.store;

import io.waybill.message.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits in the inbox tables for its next attempt, or behind a waiting message of its
 * key. Arrays are not copied and must not be changed.
 *
 * @param dedupeKey identity of the event
 * @param body message body, null for a tombstone
 * @param headers message headers
 * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
 * @param attempts attempts that have failed
 * @param delayMillis time until the next attempt, from now; 0 if due
 * @param failure class and message of the last failure, without payload, cut to 1,000 characters;
 *     empty for an event that has not been tried
 * @param deadReason short machine-readable class if it only waits for its dead letter, otherwise
 *     null
 * @param redelivered whether an earlier owner claimed it, but neither finished nor released it in
 *     time; false when it is written
 */
public record DeferredEvent(
    DedupeKey dedupeKey,
    byte @Nullable [] body,
    Headers headers,
    long timestampMicros,
    int attempts,
    long delayMillis,
    String failure,
    @Nullable String deadReason,
    boolean redelivered) {
  /** Longest failure text, in characters. */
  public static final int MAX_FAILURE_LENGTH = 1_000;

  /**
   * Shortens the failure. Not a compact constructor, which would lose the annotations of arrays.
   */
  public DeferredEvent(
      DedupeKey dedupeKey,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      int attempts,
      long delayMillis,
      String failure,
      @Nullable String deadReason,
      boolean redelivered) {
    this.dedupeKey = Objects.requireNonNull(dedupeKey, "dedupeKey");
    this.body = body;
    this.headers = Objects.requireNonNull(headers, "headers");
    this.timestampMicros = timestampMicros;
    this.attempts = attempts;
    this.delayMillis = delayMillis;
    this.failure =
        failure.length() > MAX_FAILURE_LENGTH ? failure.substring(0, MAX_FAILURE_LENGTH) : failure;
    this.deadReason = deadReason;
    this.redelivered = redelivered;
  }
}

package io.waybill.internal.encode;

import io.waybill.broker.Delivery;
import io.waybill.message.Headers;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message of a dead-letter topic or queue.
 *
 * @param delivery the message in that topic or queue
 * @param source topic or queue that the original came from
 * @param eventId event id, or null if the original names none
 * @param eventType event type, or null
 * @param key aggregate type, slash, aggregate id; the id alone where only a message key is known;
 *     null without a key
 * @param consumer the consumer that dead-lettered it, or null
 * @param reason short machine-readable class, or null
 * @param error why, in words, or null
 * @param failedAt when, according to the dead letter, or null
 * @param redriven how often it had been sent again before
 * @param original the original, null if the dead letter does not have it
 * @param missing known facts about an original that was too large for its dead letter; null for
 *     every other dead letter
 */
public record DeadLetter(
    Delivery delivery,
    String source,
    @Nullable String eventId,
    @Nullable String eventType,
    @Nullable String key,
    @Nullable String consumer,
    @Nullable String reason,
    @Nullable String error,
    @Nullable String failedAt,
    int redriven,
    @Nullable Original original,
    @Nullable Missing missing) {
  private static final String SUFFIX = ".dlt";

  /**
   * The message as it arrived before it was dead-lettered.
   *
   * @param body its body, null for a tombstone
   * @param headers its headers
   * @param contentType its content type, empty if the dead letter names none
   */
  public record Original(byte @Nullable [] body, Headers headers, String contentType) {}

  /**
   * An original that was too large for its dead letter.
   *
   * @param length bytes of its body
   * @param sha256 digest of its body in hexadecimal digits, or null if the dead letter has none
   * @param place its position for as long as its topic keeps it, as {@code orders-3@15}; null if
   *     the dead letter has none
   */
  public record Missing(int length, @Nullable String sha256, @Nullable String place) {}

  /**
   * Names the dead-letter topic or queue of a topic or queue.
   *
   * @param source topic or queue
   * @return name with {@code .dlt} after it
   */
  public static String nameOf(String source) {
    return source + SUFFIX;
  }

  /**
   * Names the topic or queue that dead letters come from.
   *
   * @param name dead-letter topic or queue
   * @return name without {@code .dlt} at its end
   */
  public static String sourceOf(String name) {
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  /**
   * The position of the dead letter.
   *
   * @return lane and position, for example {@code orders.dlt-0@15}
   */
  public String place() {
    return delivery.lane() + "@" + delivery.position();
  }

  /**
   * The time of the failure.
   *
   * @return the time in the dead letter, otherwise that of its message
   */
  public Instant time() {
    Instant sent = Instant.EPOCH.plus(delivery.timestampMicros(), ChronoUnit.MICROS);
    try {
      return failedAt == null ? sent : Instant.parse(failedAt);
    } catch (DateTimeParseException e) {
      return sent;
    }
  }
}

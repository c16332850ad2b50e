package io.waybill.encode;

import io.waybill.broker.Delivery;
import io.waybill.message.Headers;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message of a dead-letter topic or queue.
 *
 * @param delivery as it lies there
 * @param source topic or queue that the original came from
 * @param eventId event id, or null if the original names none
 * @param eventType event type, or null
 * @param key aggregate type, slash, aggregate id; the id alone where only a message key is known;
 *     null without a key
 * @param consumer who gave it up, or null
 * @param reason short machine-readable class, or null
 * @param error why, in words, or null
 * @param failedAt when, as the letter says, or null
 * @param redriven how often it had been sent again before
 * @param original what it was, null if the letter does not have it
 * @param missing what is known of an original that was too large for its letter; null for every
 *     other letter
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
   * The message as it came before it was given up.
   *
   * @param body its body, null for a tombstone
   * @param headers its headers
   * @param contentType its content type, empty if the letter does not tell one
   */
  public record Original(byte @Nullable [] body, Headers headers, String contentType) {}

  /**
   * An original that was too large for its letter.
   *
   * @param length bytes of its body
   * @param sha256 digest of its body in hexadecimal digits, or null if the letter does not say
   * @param place where it lies for as long as its topic keeps it, as {@code orders-3@15}; null if
   *     the letter does not say
   */
  public record Missing(int length, @Nullable String sha256, @Nullable String place) {}

  /**
   * Where the dead letters of a topic or queue lie.
   *
   * @param source topic or queue
   * @return name with {@code .dlt} after it
   */
  public static String nameOf(String source) {
    return source + SUFFIX;
  }

  /**
   * Where dead letters come from.
   *
   * @param name topic or queue of dead letters
   * @return name without {@code .dlt} at its end
   */
  public static String sourceOf(String name) {
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  /**
   * Where the letter lies.
   *
   * @return lane and position, for example {@code orders.dlt-0@15}
   */
  public String place() {
    return delivery.lane() + "@" + delivery.position();
  }

  /**
   * When it was given up.
   *
   * @return what the letter says, else the time of its message
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

package io.waybill.spring.internal.consumers;

import io.waybill.internal.encode.DeadLetter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant. All conditions have to hold.
 *
 * @param ids ids of events; empty for all
 * @param type type of the event, or null
 * @param key the whole key or its id alone, or null
 * @param consumer who dead-lettered it, or null
 * @param error class of the error with or without package, or the reason; or null
 * @param since time of the failure at the earliest, or null
 * @param before the failure came before this time, or null
 */
public record DeadLetterFilter(
    List<String> ids,
    @Nullable String type,
    @Nullable String key,
    @Nullable String consumer,
    @Nullable String error,
    @Nullable Instant since,
    @Nullable Instant before) {
  /** Copies the list. */
  public DeadLetterFilter {
    ids = List.copyOf(ids);
  }

  /** Whether it has no condition. */
  public boolean isEmpty() {
    return ids.isEmpty()
        && type == null
        && key == null
        && consumer == null
        && error == null
        && since == null
        && before == null;
  }

  boolean matches(DeadLetter letter) {
    return isNamed(letter.eventId())
        && (type == null || type.equals(letter.eventType()))
        && isKey(key, letter.key())
        && (consumer == null || consumer.equals(letter.consumer()))
        && (error == null || isError(error, letter))
        && (since == null || !letter.time().isBefore(since))
        && (before == null || letter.time().isBefore(before));
  }

  private boolean isNamed(@Nullable String eventId) {
    return ids.isEmpty() || (eventId != null && ids.contains(eventId));
  }

  private static boolean isKey(@Nullable String wanted, @Nullable String found) {
    return wanted == null
        || (found != null && (found.equals(wanted) || found.endsWith("/" + wanted)));
  }

  /** An error reads {@code package.Class: message}. */
  private static boolean isError(String wanted, DeadLetter letter) {
    String said = letter.error();
    String name = said == null ? "" : said.split(":", 2)[0].strip();
    return name.equals(wanted) || name.endsWith("." + wanted) || wanted.equals(letter.reason());
  }
}

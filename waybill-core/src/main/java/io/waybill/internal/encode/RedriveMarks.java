package io.waybill.internal.encode;

import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers of messages that an operator has sent again from a dead-letter destination. They
 * count only if they name the event that carries them, since services that pass headers on copy
 * them to other events. A message that is no event has no id; its marks name none. Thread-safe.
 */
public final class RedriveMarks {
  /** How often the message has been sent again: 1 to 999999999, in plain digits. */
  public static final String TIMES = "waybill-redriven";

  /** The consumer that the message is for; other consumers ignore it. */
  public static final String CONSUMER = "waybill-redriven-for";

  /** The id of the event; missing if the message is no event. */
  public static final String EVENT = "waybill-redriven-event";

  private static final Set<String> NAMES = Set.of(TIMES, CONSUMER, EVENT);

  private RedriveMarks() {}

  /**
   * The consumer for which a message was sent again.
   *
   * @param headers its headers
   * @param decoded its decoded contents
   * @return name of the consumer; null if the message was not sent again
   */
  public static @Nullable String consumer(Headers headers, Decoded decoded) {
    String id = decoded instanceof Decoded.Event event ? event.event().id() : null;
    return areOf(id, headers) ? headers.get(CONSUMER) : null;
  }

  /** How often an event was sent again, 0 if it was not. */
  static int times(Headers headers, @Nullable String eventId) {
    String times = areOf(eventId, headers) ? headers.get(TIMES) : null;
    return times != null && times.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(times) : 0;
  }

  /** Headers with the marks in place of those that there are. */
  static List<Header> mark(
      List<Header> headers, int times, String consumer, @Nullable String eventId) {
    List<Header> marked = new ArrayList<>(headers);
    marked.removeIf(header -> NAMES.contains(header.name()));
    marked.add(new Header(TIMES, Integer.toString(times)));
    marked.add(new Header(CONSUMER, consumer));
    if (eventId != null) {
      marked.add(new Header(EVENT, eventId));
    }
    return marked;
  }

  private static boolean areOf(@Nullable String eventId, Headers headers) {
    return Objects.equals(eventId, headers.get(EVENT));
  }
}

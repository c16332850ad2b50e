package io.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Failures that have event type, destination and reason in common.
 *
 * @param status what became of the events: {@link EventStatus#PENDING} if they are tried again
 * @param group tells it apart from others of its status
 * @param count number of records of failures, at most the number at which counting stopped; a row
 *     that was removed with SQL may have left one
 * @param first the earliest time of a last failure among the first 20 events
 * @param last the latest among these and the last one
 * @param sample its first event
 */
public record FailureGroup(
    EventStatus status, String group, long count, Instant first, Instant last, EventView sample) {
  private static final String FORM = "(pending|parked|dead)-[0-9a-f]{32}";

  /**
   * Its id, for commands and addresses.
   *
   * @return status and group
   */
  public String id() {
    return id(status, group);
  }

  /**
   * The id of a group, as {@link #id()} returns it.
   *
   * @param status status of the group
   * @param group the group, as in {@link #group}
   * @return status and group
   */
  public static String id(EventStatus status, String group) {
    return status.name().toLowerCase(Locale.ROOT) + "-" + group;
  }

  /**
   * Selects the events of a group.
   *
   * @param id as {@link #id} returns it
   * @return filter
   * @throws IllegalArgumentException if no group has such an id
   */
  public static EventFilter filter(String id) {
    if (!id.matches(FORM)) {
      throw new IllegalArgumentException(
          "A group of failures must be STATE-DIGITS as it is listed, but is '" + id + "'");
    }
    int dash = id.indexOf('-');
    EventStatus status = EventStatus.valueOf(id.substring(0, dash).toUpperCase(Locale.ROOT));
    return filter(status, id.substring(dash + 1));
  }

  /**
   * Selects the events of a group.
   *
   * @param status status of the group
   * @param group the group, as in {@link #group}
   * @return filter
   */
  public static EventFilter filter(EventStatus status, String group) {
    return new EventFilter(List.of(), status, null, null, null, null, null, null, group, null);
  }
}

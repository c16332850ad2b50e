package io.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events that meet all given conditions.
 *
 * @param eventIds event ids; empty for no condition
 * @param status status, or null
 * @param eventType event type, or null
 * @param aggregateType first part of the key, or null
 * @param aggregateId second part of the key, or null
 * @param reason class of the last failure, or null
 * @param since written at this time or later, or null
 * @param before written before this time, or null
 * @param group group of failures, as in {@link FailureGroup#group}, or null; needs the group's
 *     status
 * @param traceId trace in which they were written, 32 hexadecimal digits in lower case, or null
 */
public record EventFilter(
    List<String> eventIds,
    @Nullable EventStatus status,
    @Nullable String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String reason,
    @Nullable Instant since,
    @Nullable Instant before,
    @Nullable String group,
    @Nullable String traceId) {
  /** All events. */
  public static final EventFilter ALL = new EventFilter(List.of(), null, null, null, null);

  private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}");

  /** Copies the list. */
  public EventFilter {
    eventIds = List.copyOf(eventIds);
    if (traceId != null && !isTraceId(traceId)) {
      throw new IllegalArgumentException(
          "traceId: must have 32 hexadecimal digits in lower case, but is '" + traceId + "'");
    }
    if (group != null && (status == null || status == EventStatus.PUBLISHED)) {
      throw new IllegalArgumentException(
          "status: must be that of the group of failures, but is " + status);
    }
  }

  /**
   * Selects events of any time, whatever their failures.
   *
   * @param eventIds event ids; empty for no condition
   * @param status status, or null
   * @param eventType event type, or null
   * @param aggregateType first part of the key, or null
   * @param aggregateId second part of the key, or null
   */
  public EventFilter(
      List<String> eventIds,
      @Nullable EventStatus status,
      @Nullable String eventType,
      @Nullable String aggregateType,
      @Nullable String aggregateId) {
    this(eventIds, status, eventType, aggregateType, aggregateId, null, null, null, null, null);
  }

  /**
   * Selects events by their ids.
   *
   * @param ids event ids
   * @return filter
   */
  public static EventFilter ids(List<String> ids) {
    return new EventFilter(ids, null, null, null, null);
  }

  /**
   * Selects events of one status.
   *
   * @param status the status
   * @return filter
   */
  public static EventFilter status(EventStatus status) {
    return new EventFilter(List.of(), status, null, null, null);
  }

  /**
   * Whether a text can be the id of a trace.
   *
   * @param text a text
   * @return true if it has 32 hexadecimal digits in lower case and nothing else
   */
  public static boolean isTraceId(String text) {
    return TRACE.matcher(text).matches();
  }

  /**
   * Whether the filter has no condition.
   *
   * @return true if every event meets it
   */
  public boolean isEmpty() {
    return equals(ALL);
  }
}

package io.waybill.internal.observe;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The fields of log lines about an event, in SLF4J's logging context of the calling thread until
 * they are removed: {@value #EVENT_ID}, {@value #EVENT_TYPE} and {@value #TRACE_ID}, each where it
 * is known. Values that the application had under these names are then restored.
 */
public final class LogFields {
  /** Id of the event. */
  public static final String EVENT_ID = "eventId";

  /** Type of the event. */
  public static final String EVENT_TYPE = "eventType";

  /** Trace id of the event: 32 hexadecimal digits, or the trace id in an envelope. */
  public static final String TRACE_ID = "traceId";

  private final @Nullable String eventId;
  private final @Nullable String eventType;
  private final @Nullable String traceId;

  private LogFields() {
    eventId = MDC.get(EVENT_ID);
    eventType = MDC.get(EVENT_TYPE);
    traceId = MDC.get(TRACE_ID);
  }

  /**
   * Sets the fields.
   *
   * @param eventId id of the event, or null
   * @param eventType its type, or null
   * @param traceId its trace id, or null
   * @return removes them when closed, on the same thread
   */
  public static LogFields set(
      @Nullable String eventId, @Nullable String eventType, @Nullable String traceId) {
    LogFields before = new LogFields();
    put(EVENT_ID, eventId);
    put(EVENT_TYPE, eventType);
    put(TRACE_ID, traceId);
    return before;
  }

  /**
   * Writes lines with the fields.
   *
   * @param eventId id of the event, or null
   * @param eventType its type, or null
   * @param traceId its trace id, or null
   * @param lines writes them
   */
  public static void around(
      @Nullable String eventId,
      @Nullable String eventType,
      @Nullable String traceId,
      Runnable lines) {
    LogFields before = set(eventId, eventType, traceId);
    try {
      lines.run();
    } finally {
      before.restore();
    }
  }

  /**
   * Names an event in a line for people.
   *
   * @param eventId its id
   * @param traceId its trace id, or null
   * @return both, or the event alone
   */
  public static String named(String eventId, @Nullable String traceId) {
    return "event " + eventId + (traceId == null ? "" : " (trace " + traceId + ")");
  }

  /** Removes the fields and restores the earlier values. */
  public void restore() {
    put(EVENT_ID, eventId);
    put(EVENT_TYPE, eventType);
    put(TRACE_ID, traceId);
  }

  private static void put(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      MDC.remove(name);
    } else {
      MDC.put(name, value);
    }
  }
}

package io.waybill.spring;

import io.waybill.message.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives events the trace context of the code that appends them; one that names another trace keeps
 * it.
 */
final class Traced {
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_LENGTH = 32;

  private Traced() {}

  static List<Event> all(List<Event> events, Supplier<@Nullable String> traceparent) {
    String current = traceparent.get();
    if (current == null) {
      return events;
    }
    List<Event> traced = new ArrayList<>(events.size());
    for (Event event : events) {
      String own = event.traceparent();
      traced.add(own == null || sameTrace(own, current) ? event.withTraceparent(current) : event);
    }
    return traced;
  }

  private static boolean sameTrace(String own, String current) {
    return own.regionMatches(TRACE_ID_START, current, TRACE_ID_START, TRACE_ID_LENGTH);
  }
}

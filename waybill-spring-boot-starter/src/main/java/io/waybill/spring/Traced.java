package io.waybill.spring;

import io.waybill.message.Event;
import io.waybill.message.TraceContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives events the trace context of the code that appends them; one that names another trace keeps
 * it.
 */
final class Traced {
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_LENGTH = 32;

  private Traced() {}

  static List<Event> all(List<Event> events, CurrentTraceContext traces) {
    TraceContext current = traces.get();
    if (current == null) {
      return events;
    }
    List<Event> traced = new ArrayList<>(events.size());
    for (Event event : events) {
      String own = event.traceparent();
      boolean same = own == null || sameTrace(own, current.traceparent());
      traced.add(same ? event.withTraceContext(current) : event);
    }
    return traced;
  }

  private static boolean sameTrace(String own, String current) {
    return own.regionMatches(TRACE_ID_START, current, TRACE_ID_START, TRACE_ID_LENGTH);
  }
}

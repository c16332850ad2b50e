package io.waybill.spring;

import io.waybill.message.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gives events the trace context of the code that appends them. */
final class Traced {
  private Traced() {}

  static List<Event> all(List<Event> events, Supplier<@Nullable String> traceparent) {
    String current = traceparent.get();
    if (current == null) {
      return events;
    }
    List<Event> traced = new ArrayList<>(events.size());
    for (Event event : events) {
      traced.add(event.traceparent() == null ? with(event, current) : event);
    }
    return traced;
  }

  private static Event with(Event event, String traceparent) {
    return new Event(
        event.id(),
        event.type(),
        event.version(),
        event.key(),
        event.payload(),
        event.headers(),
        event.correlationId(),
        event.causationId(),
        traceparent,
        event.availableAt());
  }
}

package io.waybill.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list of events. One that is not full, even an empty one, can have a next one, since a
 * search looks at a bounded number of rows.
 *
 * @param events the events, in the order of the list
 * @param next where the list goes on, or null at its end
 */
public record EventPage(List<EventView> events, @Nullable String next) {
  /** Copies the list. */
  public EventPage {
    events = List.copyOf(events);
  }
}

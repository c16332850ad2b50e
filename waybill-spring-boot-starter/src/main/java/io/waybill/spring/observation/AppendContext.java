package io.waybill.spring.observation;

import io.micrometer.observation.Observation;
import io.waybill.message.Event;
import java.util.List;

/**
 * The context of {@link WaybillObservation#APPEND}: a call that appends events. The broker is not
 * known yet, so the kind of its span is internal.
 */
public final class AppendContext extends Observation.Context {
  private final List<Event> events;

  /**
   * The context of a call.
   *
   * @param events its events, at least one
   */
  public AppendContext(List<Event> events) {
    this.events = List.copyOf(events);
  }

  /**
   * Returns the appended events.
   *
   * @return at least one event
   */
  public List<Event> events() {
    return events;
  }
}

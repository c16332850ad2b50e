package io.waybill.console.internal.events;

import io.waybill.console.internal.layout.Conditions;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events by conditions, the newest first. */
public final class EventsPage implements Page {
  private static final String MOST = "100";

  /**
   * The page.
   *
   * @param given conditions by name; empty ones included
   * @param events a part of them, the newest first
   * @param count how many meet the conditions
   */
  public record Events(Map<String, String> given, Answers.Events events, Answers.Count count) {
    /** States that can be chosen, as the API names them. */
    public static final List<String> STATES = List.of("pending", "published", "parked", "dead");

    /** The address of the events that are older than these; null if there are none. */
    public @Nullable String older() {
      if (events.next() == null) {
        return null;
      }
      return Conditions.link("events", given, "after", events.next());
    }
  }

  /** For the console. */
  public EventsPage() {}

  @Override
  public String path() {
    return "events";
  }

  @Override
  public View show(Visit visit) {
    Map<String, String> given = Conditions.of(visit, Conditions.EVENTS);
    Answers.Count count =
        visit.ask("/events/count", Answers.Counted.class, Conditions.with(given)).number();
    return new View(
        "events/events.jte",
        "Events",
        new Events(
            given,
            visit.ask(
                "/events/latest",
                Answers.Events.class,
                Conditions.with(given, "after", visit.text("after"), "limit", MOST)),
            count));
  }
}

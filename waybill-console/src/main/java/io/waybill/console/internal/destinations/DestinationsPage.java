package io.waybill.console.internal.destinations;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import java.util.List;

/** Destinations of the routes, and those of which something is known beside their events. */
public final class DestinationsPage implements Page {
  /**
   * The page.
   *
   * @param places as they stand
   * @param waiting events of all destinations that wait to be published
   */
  public record Destinations(List<Place> places, Answers.Count waiting) {}

  /** For the console. */
  public DestinationsPage() {}

  @Override
  public String path() {
    return "destinations";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "destinations/destinations.jte",
        "Destinations",
        new Destinations(
            Place.of(visit, visit.ask("/destinations", Answers.Destinations.class).items()),
            visit.ask("/events/count", Answers.Counted.class, "state", "pending").number()));
  }
}

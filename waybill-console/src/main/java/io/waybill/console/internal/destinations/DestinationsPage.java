package io.waybill.console.internal.destinations;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;

/** Destinations of which something is known beside their events. */
public final class DestinationsPage implements Page {
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
        visit.ask("/destinations", Answers.Destinations.class));
  }
}

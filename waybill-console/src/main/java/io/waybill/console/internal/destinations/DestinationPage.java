package io.waybill.console.internal.destinations;

import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.DestinationStanding;
import java.util.Optional;

/** One destination: pause it, or resume it. */
public final class DestinationPage implements Page {
  /**
   * The page.
   *
   * @param name name of the destination
   * @param place how it stands; nothing if no more is known than its name
   * @param kept whether somebody asked for the state that it had: the first reason stays
   */
  public record OneDestination(String name, Optional<Place> place, boolean kept) {
    /** Whether an operator has paused it. */
    public boolean paused() {
      return place.map(Place::standing).filter(DestinationStanding::paused).isPresent();
    }
  }

  /** For the console. */
  public DestinationPage() {}

  @Override
  public String path() {
    return "destination";
  }

  @Override
  public View show(Visit visit) {
    String name = visit.text("name");
    return new View(
        "destinations/destination.jte",
        "Destination",
        new OneDestination(
            name,
            Place.of(visit, visit.ask("/destinations", Answers.Destinations.class).items()).stream()
                .filter(each -> each.standing().destination().equals(name))
                .findFirst(),
            !visit.text("kept").isEmpty()));
  }

  @Override
  public Reply submit(Visit visit) {
    String name = visit.text("name");
    String reason = visit.text("reason");
    boolean kept =
        visit
            .change(
                visit.text("action").equals("resume")
                    ? "/destination/resume"
                    : "/destination/pause",
                Answers.Destinations.class,
                "destination",
                name,
                "reason",
                reason)
            .items()
            .stream()
            .anyMatch(each -> each.destination().equals(name) && !reason.equals(each.reason()));
    return new Reply.Next(Link.to("destination", "name", name, "kept", kept ? "yes" : ""));
  }
}

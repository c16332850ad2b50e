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
   * @param standing how it stands; nothing if no more is known than its name
   */
  public record OneDestination(String name, Optional<DestinationStanding> standing) {
    /** Whether an operator has paused it. */
    public boolean paused() {
      return standing.filter(DestinationStanding::paused).isPresent();
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
            visit.ask("/destinations", Answers.Destinations.class).items().stream()
                .filter(each -> each.destination().equals(name))
                .findFirst()));
  }

  @Override
  public Reply submit(Visit visit) {
    String name = visit.text("name");
    visit.change(
        visit.text("action").equals("resume") ? "/destination/resume" : "/destination/pause",
        Answers.Destinations.class,
        "destination",
        name,
        "reason",
        visit.text("reason"));
    return new Reply.Next(Link.to("destination", "name", name));
  }
}

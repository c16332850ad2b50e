package io.waybill.console.internal.relays;

import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Which relay runs what, and which lanes are its own. */
public final class RelaysPage implements Page {
  /**
   * The page.
   *
   * @param relays as the API has them
   * @param lanes all lanes in the order of their numbers
   */
  public record Relays(List<SessionView> relays, List<LaneOwner> lanes) {
    /** Whether living relays have more than one version or configuration. */
    public boolean differ() {
      return relays.stream()
              .filter(relay -> relay.leaseMillis() > 0)
              .map(relay -> relay.version() + " " + relay.configuration())
              .distinct()
              .count()
          > 1;
    }

    /** Lanes that were taken from a dead relay, the latest first. */
    public List<LaneOwner> taken() {
      return lanes.stream()
          .filter(lane -> lane.taken() != null)
          .sorted(
              Comparator.comparing((LaneOwner lane) -> Objects.requireNonNull(lane.taken()).at())
                  .reversed())
          .limit(MOST_TAKEN)
          .toList();
    }
  }

  private static final int MOST_TAKEN = 10;

  /** For the console. */
  public RelaysPage() {}

  @Override
  public String path() {
    return "relays";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "relays/relays.jte",
        "Relays and lanes",
        new Relays(
            visit.ask("/relays", Answers.Relays.class).items(),
            visit.ask("/lanes", Answers.Lanes.class).items()));
  }
}

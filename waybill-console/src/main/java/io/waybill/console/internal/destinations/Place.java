package io.waybill.console.internal.destinations;

import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.api.HistoryPage;
import io.waybill.spring.internal.destination.RoutedNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A destination with all that is known of it without the broker.
 *
 * @param standing as the API has it
 * @param confirmed the last minute of {@link #RECENT} in which events were confirmed, or null
 * @param astray whether events failed before a destination was found for them
 */
public record Place(DestinationStanding standing, @Nullable Instant confirmed, boolean astray) {
  /** How long ago a confirmation says that a destination takes events. */
  public static final Duration RECENT = Duration.ofMinutes(15);

  /** A mark of a destination: how it is coloured, and a few words. */
  public record Mark(String kind, String label) {}

  /** Those of an outbox. */
  static List<Place> of(Visit visit, List<DestinationStanding> all) {
    Map<String, Instant> confirmed = new HashMap<>();
    HistoryPage history =
        visit.ask("/history", HistoryPage.class, "since", Instant.now().minus(RECENT).toString());
    history.items().stream()
        .filter(each -> each.published() > 0)
        .forEach(each -> confirmed.put(each.destination(), each.at()));
    boolean astray = all.stream().anyMatch(each -> each.destination().isEmpty());
    return all.stream()
        .map(each -> new Place(each, confirmed.get(each.destination()), astray))
        .toList();
  }

  /** Whether it stands for events for which no destination was found. */
  public boolean isNone() {
    return standing.destination().isEmpty();
  }

  /** Whether the event decides which one it is. */
  public boolean isTemplate() {
    return RoutedNames.depends(standing.destination());
  }

  /** What is wrong; else whether it takes events. */
  public List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    add(marks, standing.failingSince() != null, "bad", "takes no events");
    add(marks, standing.paused(), "warn", "paused");
    add(marks, standing.parked().count() > 0, "bad", "has parked events");
    add(marks, standing.retrying().count() > 0, "warn", "refused events");
    add(marks, isTemplate() && astray, "warn", "some not resolved");
    if (marks.isEmpty()) {
      marks.add(
          confirmed != null
              ? new Mark("good", "takes events")
              : new Mark("", isTemplate() ? "depends on the event" : "nothing recorded lately"));
    }
    return marks;
  }

  private static void add(List<Mark> marks, boolean there, String kind, String label) {
    if (there) {
      marks.add(new Mark(kind, label));
    }
  }
}

package io.waybill.console.internal.events;

import io.waybill.console.internal.layout.Conditions;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.RepairAnswers;
import java.util.List;
import java.util.Map;

/** Dead events that are removed for good: those that were looked at, and no others. */
public final class PurgePage implements Page {
  // Servers take a thousand fields of a form.
  private static final String MOST = "200";

  /**
   * The page.
   *
   * @param given conditions by name; empty ones included
   * @param plan the first of the events that would be removed, and how many there are
   */
  public record Purge(Map<String, String> given, RepairAnswers.PurgePlan plan) {}

  /**
   * What became of each.
   *
   * @param given conditions by name; empty ones included
   * @param result as the API has it
   */
  public record Purged(Map<String, String> given, RepairAnswers.PurgeResult result) {
    /** Those that are left. */
    public List<RepairAnswers.PurgedEvent> left() {
      return result.items().stream()
          .filter(each -> each.outcome() == RepairAnswers.Purged.LEFT)
          .toList();
    }
  }

  /** For the console. */
  public PurgePage() {}

  @Override
  public String path() {
    return "purge";
  }

  @Override
  public View show(Visit visit) {
    Map<String, String> given = given(visit);
    return new View(
        "events/purge.jte",
        "Remove dead events",
        new Purge(
            given,
            visit.ask(
                "/events/purge",
                RepairAnswers.PurgePlan.class,
                Conditions.with(given, "limit", MOST))));
  }

  /** Dead ones are meant, whatever the address says. */
  private static Map<String, String> given(Visit visit) {
    Map<String, String> given = Conditions.of(visit, Conditions.EVENTS);
    given.remove("state");
    return given;
  }

  /** The same page would show others. */
  @Override
  public Reply submit(Visit visit) {
    return new View(
        "events/purged.jte",
        "Remove dead events",
        new Purged(
            given(visit),
            visit.change(
                "/events/purge",
                RepairAnswers.PurgeResult.class,
                Map.of("eventId", visit.texts("event"), "reason", List.of(visit.text("why"))))));
  }
}

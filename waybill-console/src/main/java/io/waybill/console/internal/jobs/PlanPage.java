package io.waybill.console.internal.jobs;

import io.waybill.admin.EventStatus;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import java.util.Locale;

/** A change of a group of failures, or of one event, before it is planned: what would follow. */
public final class PlanPage implements Page {
  private static final String FEW = "20";

  /**
   * The page.
   *
   * @param group the group of failures, or empty
   * @param eventId the event, or empty
   * @param verb the request that is chosen
   * @param verbs those that make sense
   * @param events how many it means
   * @param first the first of them
   * @param behind how many events wait behind it, where it is one that blocks a key
   */
  public record Plan(
      String group,
      String eventId,
      Verb verb,
      List<Verb> verbs,
      Answers.Count events,
      Answers.Events first,
      List<Answers.Count> behind) {
    /** The name of a request in an address. */
    public static String name(Verb verb) {
      return verb.name().toLowerCase(Locale.ROOT);
    }

    /** What follows a request, one or two sentences. */
    public static String follows(Verb verb) {
      return switch (verb) {
        case RETRY ->
            "Each event is tried again now, in the order of its key. One that fails again is parked"
                + " again, and the others go on. A dead one that fails again blocks its key.";
        case SKIP ->
            "Each event becomes dead, and consumers never see it. Its key goes on: what waits"
                + " behind it is published.";
        case BURY ->
            "Each event becomes dead, with a copy at the dead-letter target if there is one."
                + " Its key goes on.";
        case PARK -> "Each event is held, and its key with it, until an operator decides.";
        case REPLAY ->
            "Each event is published again, marked by a header. Consumers that remember its id drop"
                + " it.";
      };
    }
  }

  /** For the console. */
  public PlanPage() {}

  @Override
  public String path() {
    return "plan";
  }

  @Override
  public View show(Visit visit) {
    String group = visit.text("group");
    String eventId = visit.text("eventId");
    Answers.Events first =
        visit.ask(
            "/events", Answers.Events.class, "group", group, "eventId", eventId, "limit", FEW);
    Answers.Count events =
        visit
            .ask("/events/count", Answers.Counted.class, "group", group, "eventId", eventId)
            .number();
    EventStatus state =
        first.items().isEmpty() ? EventStatus.PARKED : first.items().get(0).status();
    List<Verb> verbs = verbs(state);
    Verb verb =
        verbs.stream()
            .filter(each -> Plan.name(each).equals(visit.text("verb")))
            .findFirst()
            .orElse(verbs.get(0));
    return new View(
        "jobs/plan.jte",
        "Plan a change",
        new Plan(group, eventId, verb, verbs, events, first, behind(visit, eventId)));
  }

  private static List<Verb> verbs(EventStatus state) {
    return switch (state) {
      case PENDING -> List.of(Verb.RETRY, Verb.PARK, Verb.SKIP, Verb.BURY);
      case PARKED -> List.of(Verb.RETRY, Verb.SKIP, Verb.BURY);
      case DEAD -> List.of(Verb.RETRY);
      case PUBLISHED -> List.of(Verb.REPLAY);
    };
  }

  private static List<Answers.Count> behind(Visit visit, String eventId) {
    return eventId.isEmpty()
        ? List.of()
        : visit.ask("/keys/blocked", Answers.BlockedKeys.class).items().stream()
            .filter(key -> key.head().eventId().equals(eventId))
            .map(Answers.BlockedKey::behind)
            .toList();
  }

  @Override
  public Reply submit(Visit visit) {
    Answers.JobView job =
        visit.change(
            "/jobs",
            Answers.JobView.class,
            "verb",
            visit.text("verb"),
            "group",
            visit.text("group"),
            "eventId",
            visit.text("eventId"),
            "canary",
            visit.text("canary"),
            "rate",
            visit.text("rate"),
            "stopAfter",
            visit.text("stopAfter"));
    return new Reply.Next(Link.to("job", "id", job.id()));
  }
}

package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.number;
import static io.waybill.spring.internal.api.Parameter.texts;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.Removal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The removal of dead events: looked at, then those that were seen, by their ids. */
final class PurgeChange {
  private static final int MOST = 1_000;
  private static final int USUAL = 100;
  private static final int MOST_COUNTED = 10_000;

  static final List<Operation> ALL =
      List.of(
          Operation.question(
                  "/events/purge",
                  "events purge",
                  "Dead events that would be removed: how many, up to 10,000, and the first ones.",
                  Operations.with(
                      Conditions.PARAMETERS.stream()
                          .filter(each -> !each.name().equals("state"))
                          .toList(),
                      number("limit", 1, MOST, USUAL, "Most events of the answer.")),
                  RepairAnswers.PurgePlan.class,
                  PurgeChange::plan)
              .by(Role.ADMINISTRATOR),
          Operation.change(
                  "/events/purge",
                  "events purge",
                  "Remove dead events for good, including payloads. Events that are no longer dead, or"
                      + " that a request waits for, stay.",
                  List.of(
                      texts("eventId", MOST, "Ids of the events.").asRequired(), Changes.REASON),
                  RepairAnswers.PurgeResult.class,
                  PurgeChange::run)
              .by(Role.ADMINISTRATOR));

  private PurgeChange() {}

  private static RepairAnswers.PurgePlan plan(Admin admin, Call call) {
    EventFilter given = Conditions.filter(call);
    if (given.status() != null && given.status() != EventStatus.DEAD) {
      throw ApiProblem.invalid(
          "group", "must be of dead events", String.valueOf(call.text("group")));
    }
    EventFilter dead =
        new EventFilter(
            given.eventIds(),
            EventStatus.DEAD,
            given.eventType(),
            given.aggregateType(),
            given.aggregateId(),
            given.reason(),
            given.since(),
            given.before(),
            given.group(),
            given.traceId());
    return new RepairAnswers.PurgePlan(
        // Their state leads to all of them.
        Answers.Count.of(admin.count(dead, null, MOST_COUNTED + 1).count(), MOST_COUNTED),
        admin.find(dead, null, call.numberOf("limit")).events());
  }

  private static RepairAnswers.PurgeResult run(Admin admin, Call call) {
    List<String> ids = call.texts("eventId").stream().distinct().toList();
    Set<String> removed = new HashSet<>(Removal.of(admin, ids, Changes.instruction(call)));
    List<String> left = ids.stream().filter(id -> !removed.contains(id)).toList();
    Map<String, EventStatus> states = new HashMap<>();
    if (!left.isEmpty()) {
      for (EventView each : admin.find(EventFilter.ids(left), null, left.size()).events()) {
        states.put(each.eventId(), each.status());
      }
    }
    return new RepairAnswers.PurgeResult(
        ids.stream().map(id -> event(id, removed, states)).toList(), removed.size());
  }

  private static RepairAnswers.PurgedEvent event(
      String id, Set<String> removed, Map<String, EventStatus> states) {
    return removed.contains(id)
        ? new RepairAnswers.PurgedEvent(id, RepairAnswers.Purged.REMOVED, null)
        : new RepairAnswers.PurgedEvent(id, RepairAnswers.Purged.LEFT, states.get(id));
  }
}

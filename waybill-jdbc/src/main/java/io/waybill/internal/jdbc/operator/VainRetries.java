package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.EventOutcome.Kind;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.RowIdKind;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Retries of an event that has failed again.
 *
 * @param number how many relays carried out
 * @param first when an operator asked for the first: the event had failed before
 * @param last when an operator asked for the last
 */
public record VainRetries(int number, Instant first, Instant last) {
  // What relays write when they have done what an operator asked for.
  private static final Set<String> REQUESTED = Set.of("operator", "skipped", "buried");

  private record Found(String eventId, VainRetries retries) {}

  /**
   * Looks into the audit, by one statement.
   *
   * @param admin operators' view of a database
   * @param events at most as many as a page has
   * @return those of each event that has some and has failed since, by its id
   * @throws IllegalArgumentException if the view is one of something else
   */
  public static Map<String, VainRetries> of(Admin admin, List<EventView> events) {
    Map<String, EventView> failed = new HashMap<>();
    events.forEach(event -> failed.put(event.eventId(), event));
    if (failed.isEmpty()) {
      return Map.of();
    }
    JdbcAdmin.Parts parts = JdbcAdmin.of(admin).parts();
    // An id may come again: what is older is about another event.
    boolean timed = parts.layout().order().createdAt() != null;
    Map<String, VainRetries> vain = new HashMap<>();
    for (Found found : found(parts, List.copyOf(failed.keySet()))) {
      EventView event = failed.get(found.eventId());
      if (event != null && found.retries().isOf(event, timed)) {
        vain.put(found.eventId(), found.retries());
      }
    }
    return vain;
  }

  private static List<Found> found(JdbcAdmin.Parts parts, List<String> eventIds) {
    Queries queries = parts.queries();
    TableTerms terms = parts.terms();
    return queries.list(
        "look for retries",
        terms.sql(
            """
            select a.event_id, count(*), ${first}, ${last} from ${audit} a
            where ${some} and a.verb = 'RETRY' and a.done group by a.event_id"""
                .replace("${first}", queries.dialect().micros("min(a.requested_at)"))
                .replace("${last}", queries.dialect().micros("max(a.requested_at)"))
                .replace("${some}", queries.dialect().oneOf("a.event_id", eventIds.size()))),
        binding -> binding.oneOf(RowIdKind.STRING, eventIds),
        result ->
            new Found(
                result.getString(1),
                new VainRetries(
                    result.getInt(2),
                    AdminRows.time(result.getLong(3)),
                    AdminRows.time(result.getLong(4)))));
  }

  private boolean isOf(EventView event, boolean timed) {
    return isVain(last, event) && !(timed && first.isBefore(event.createdAt()));
  }

  /**
   * Whether an event has failed since a relay has retried it.
   *
   * @param requestedAt when an operator asked for the retry
   * @param event the event now
   * @return also false if an operator has parked, skipped or buried it since: then nobody can tell
   */
  public static boolean isVain(Instant requestedAt, EventView event) {
    EventOutcome outcome = EventOutcome.of(Verb.RETRY, requestedAt, true, null, event);
    return outcome != null
        && outcome.kind() == Kind.FAILED
        && !(event.reason() != null && REQUESTED.contains(event.reason()));
  }
}

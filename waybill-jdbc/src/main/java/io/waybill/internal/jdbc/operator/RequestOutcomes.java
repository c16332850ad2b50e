package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.EventOutcome.Kind;
import io.waybill.store.OperatorRequest.Verb;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what relays make of requests, by the audit, and of a retry what became of the event:
 * that it was tried says nothing yet. Used by one thread.
 */
public final class RequestOutcomes {
  private static final int PAGE = 500;

  private final Admin admin;
  private final Verb verb;
  private final BiConsumer<String, EventOutcome> outcomes;
  private final Set<String> unanswered = new LinkedHashSet<>();
  // Retries that are answered, whose events are not yet seen to be published or refused.
  private final Map<String, AuditEntry> tried = new LinkedHashMap<>();
  // Nothing that was answered stands in older entries.
  private long oldest;

  /**
   * Begins without requests.
   *
   * @param admin finds them, and what became of requests
   * @param verb what was requested
   * @param outcomes told each outcome once, in any order
   */
  public RequestOutcomes(Admin admin, Verb verb, BiConsumer<String, EventOutcome> outcomes) {
    this.admin = admin;
    this.verb = verb;
    this.outcomes = outcomes;
  }

  /** Awaits the outcomes of requests about these events. */
  public void expect(Collection<String> eventIds) {
    unanswered.addAll(eventIds);
    // A request that was made before has an older entry.
    oldest = 0;
  }

  /** Requests that no relay has answered. */
  public int unanswered() {
    return unanswered.size();
  }

  /** Events that were tried and have neither been published nor failed. */
  public int undecided() {
    return tried.size();
  }

  /** Reads what is new. */
  public void look() {
    takeAnswers();
    takeOutcomes();
  }

  /** The latest entry about each event is that of its request: there is one at a time. */
  private void takeAnswers() {
    Map<String, AuditEntry> entries = new HashMap<>();
    Set<String> missing = new HashSet<>(unanswered);
    long before = Long.MAX_VALUE;
    long lowest = Long.MAX_VALUE;
    while (!missing.isEmpty() && before > oldest) {
      List<AuditEntry> page = admin.audit(before, PAGE);
      for (AuditEntry entry : page) {
        String id = entry.eventId();
        if (id != null && entry.verb().equals(verb.name()) && missing.remove(id)) {
          lowest = entry.id();
          entries.put(id, entry);
        }
      }
      if (page.size() < PAGE) {
        break;
      }
      before = page.get(page.size() - 1).id();
    }
    if (missing.isEmpty() && lowest != Long.MAX_VALUE) {
      oldest = lowest;
    }
    for (String id : List.copyOf(unanswered)) {
      AuditEntry entry = entries.get(id);
      if (entry != null) {
        take(id, entry);
      }
    }
  }

  private void take(String id, AuditEntry entry) {
    if (entry.done() == null) {
      return;
    }
    unanswered.remove(id);
    if (verb == Verb.RETRY) {
      tried.put(id, entry);
    } else if (!entry.done()) {
      outcomes.accept(id, new EventOutcome(Kind.REFUSED, entry.note(), null));
    }
    if (entry.done()) {
      outcomes.accept(id, new EventOutcome(Kind.DONE, null, null));
    }
  }

  private void takeOutcomes() {
    List<String> ids = List.copyOf(tried.keySet());
    for (int from = 0; from < ids.size(); from += PAGE) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + PAGE));
      Map<String, EventView> there = new HashMap<>();
      EventPage page = admin.find(EventFilter.ids(some), null, PAGE);
      page.events().forEach(e -> there.put(e.eventId(), e));
      some.forEach(id -> takeOutcome(id, there.get(id)));
    }
  }

  private void takeOutcome(String id, @Nullable EventView event) {
    AuditEntry entry = Objects.requireNonNull(tried.get(id));
    boolean done = Boolean.TRUE.equals(entry.done());
    EventOutcome outcome = EventOutcome.of(verb, entry.requestedAt(), done, entry.note(), event);
    if (outcome != null) {
      tried.remove(id);
      outcomes.accept(id, outcome);
    }
  }
}

package io.waybill.proof.sim.relay;

import io.waybill.admin.AuditEntry;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table of operators' requests. */
final class SimRequests {
  record Request(long id, Verb verb, SimRow row) {}

  private final SimDatabase database;
  private final Observations seen;
  private final TreeMap<Long, Request> open = new TreeMap<>();
  // Requests whose answers were refused at first, or came with one that was.
  private final Set<Long> late = new HashSet<>();
  // Of all requests, by their numbers; a database that is set back forgets none of them.
  private final TreeMap<Long, AuditEntry> audit = new TreeMap<>();
  private long lastId;

  SimRequests(SimDatabase database, Observations seen) {
    this.database = database;
    this.seen = seen;
  }

  /** Returns its number, which the audit has, too. */
  long add(Verb verb, SimRow row) {
    Request request = new Request(++lastId, verb, row);
    row.operated |= verb != Verb.RETRY && verb != Verb.REPLAY;
    row.retryAsked |= verb == Verb.RETRY;
    row.replaysAsked += verb == Verb.REPLAY ? 1 : 0;
    open.put(request.id(), request);
    audit.put(request.id(), entry(request, null, null));
    database.flush();
    seen.trace.line(() -> "asked " + request);
    return request.id();
  }

  private AuditEntry entry(Request request, @Nullable Boolean done, @Nullable String note) {
    AuditEntry asked = audit.get(request.id());
    Instant now = Instant.EPOCH.plusNanos(database.clock());
    return new AuditEntry(
        request.id(),
        asked == null ? now : asked.requestedAt(),
        "operator",
        request.verb().name(),
        request.row().row.eventId(),
        null,
        "simulated",
        done == null ? null : now,
        done,
        note,
        "operator",
        null,
        null);
  }

  /** How many have no answer yet. */
  int open() {
    return open.size();
  }

  boolean isOpen(Verb verb, SimRow row) {
    return open.values().stream().anyMatch(r -> r.verb() == verb && r.row() == row);
  }

  /** What is known of a request. */
  AuditEntry audited(long id) {
    return Objects.requireNonNull(audit.get(id));
  }

  List<OperatorRequest> read(Set<Integer> lanes, int most) {
    List<OperatorRequest> found = new ArrayList<>();
    for (Request request : open.values()) {
      SimRow row = request.row();
      if (lanes.contains(row.lane) && found.size() < most) {
        found.add(
            new OperatorRequest(
                request.id(),
                request.verb(),
                row.id,
                database.exists(row) ? row.row : null,
                state(row),
                "simulated"));
      }
    }
    return found;
  }

  EventState state(SimRow row) {
    if (!database.exists(row)) {
      return EventState.GONE;
    } else if (row.published) {
      return EventState.PUBLISHED;
    } else if (row.failure != null) {
      return switch (row.failure.state()) {
        case RETRY -> EventState.RETRY;
        case PARKED -> EventState.PARKED;
        case DEAD -> EventState.DEAD;
      };
    }
    return row.held ? EventState.HELD : EventState.PENDING;
  }

  /** A relay is about to take in what a look has shown. */
  void shown(Tenure tenure, List<OperatorRequest> requests) {
    seen.revivals.looked();
    for (OperatorRequest asked : requests) {
      Request request = open.get(asked.requestId());
      if (request != null && request.verb() == Verb.RETRY) {
        SimRow row = request.row();
        boolean dead = asked.state() == EventState.DEAD;
        seen.revivals.shown(row, dead, new Revivals.Look(request.id(), tenure), seen.ofKey(row));
        Runnable then = row.onceShown;
        if (dead && then != null) {
          row.onceShown = null;
          then.run();
        }
      }
    }
  }

  /**
   * This answer comes late, and others of its settlement may. The relay is not at fault, and the
   * next owner of the lane finds the request open.
   */
  void refused(HandledRequest answer, Settlement settlement) {
    settlement.handled().forEach(each -> late.add(each.requestId()));
    Request request = open.get(answer.requestId());
    if (request != null && request.verb() == Verb.REPLAY) {
      request.row().answerRefused = true;
    }
  }

  void handled(HandledRequest handled) {
    Request request = open.remove(handled.requestId());
    seen.trace.line(() -> "handled " + request + " " + handled);
    if (request != null) {
      audit.put(request.id(), entry(request, handled.done(), handled.note()));
      seen.rare(handled.done() ? RareState.REQUEST_DONE : RareState.REQUEST_REFUSED);
      SimRow row = request.row();
      if (request.verb() == Verb.REPLAY && handled.done()) {
        row.replaysDone++;
      }
      boolean takenUp =
          handled.done() && handled.note().equals("tried now") && !late.contains(request.id());
      if (seen.revivals.answered(row, request.id(), takenUp, seen.ofKey(row))) {
        seen.rare(RareState.DEAD_RETRIED_TOGETHER);
      }
    }
  }

  /** Requests that are open. */
  record Content(TreeMap<Long, Request> open) {}

  Content content() {
    return new Content(new TreeMap<>(open));
  }

  void restore(Content content) {
    open.clear();
    open.putAll(content.open());
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  @Override
  public String toString() {
    return open.values().toString();
  }
}

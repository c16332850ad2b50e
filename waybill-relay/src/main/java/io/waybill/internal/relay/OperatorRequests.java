package io.waybill.internal.relay;

import io.waybill.policy.FailurePolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Carries out operators' requests as the owner of the lane. A request about a row that is in flight
 * waits for the outcome: it is read again with the next look at the requests.
 */
final class OperatorRequests {
  private final EngineState state;
  private final KeyFlow flow;
  private final Failures failures;
  private final Function<String, FailurePolicy> policies;

  OperatorRequests(
      EngineState state,
      KeyFlow flow,
      Failures failures,
      Function<String, FailurePolicy> policies) {
    this.state = state;
    this.flow = flow;
    this.failures = failures;
    this.policies = policies;
  }

  /** Carries out one request per row that is not in motion; the next look shows the others. */
  void onRequests(List<OperatorRequest> requests, Set<Object> moving) {
    for (OperatorRequest request : requests) {
      if (state.meanwhile.isOpen(request.requestId()) && moving.add(request.rowId())) {
        onRequest(request);
      }
    }
  }

  private void onRequest(OperatorRequest request) {
    OutboxRow row = request.row();
    if (row == null || request.state() == EventState.GONE) {
      answer(request, false, "no such event: published and deleted, or never written");
      // If a key waits for it, it goes on.
      flow.looks.soon();
      return;
    }
    if (!state.lanes.sends(row.lane())) {
      return;
    }
    KeyQueue key = flow.findOrCreate(row);
    if (key.parked() && key.inFlight > 0) {
      // Parked while others were on their way: decided when those are home.
      return;
    }
    Entry inMemory = key.find(row.ref());
    if (inMemory != null && mayBeOver(inMemory, request)) {
      // Decided once a look has told how the row stands.
      flow.looks.doubt(inMemory);
      flow.looks.ask(key);
    } else {
      carryOut(request, row, key);
    }
    // It may have rested, with rows that can be read.
    flow.heldRows.offer(key);
    flow.keys.forget(key);
  }

  private void carryOut(OperatorRequest request, OutboxRow row, KeyQueue key) {
    switch (request.verb()) {
      case RETRY -> retry(request, row, key);
      case SKIP, BURY -> {
        // Otherwise it stays in the table until then.
        if (state.isQuiet()) {
          giveUp(request, row, key);
        }
      }
      case PARK -> park(request, row, key);
      case REPLAY -> replay(request, row, key);
    }
  }

  private void retry(OperatorRequest request, OutboxRow row, KeyQueue key) {
    Entry inMemory = key.find(row.ref());
    if (inMemory != null) {
      retryInMemory(request, inMemory);
    } else if (request.state() == EventState.PUBLISHED && key.isParkedAt(row.ref())) {
      answer(request, false, "it has been marked as published");
      flow.looks.soon();
    } else if (!key.givingUp.isEmpty()) {
      // If the database refuses that, the one given up blocks its key again, and this one could be
      // held behind it although it goes before it. Decided when that is durable.
      return;
    } else if (key.isParkedAt(row.ref())) {
      takeBack(request, row, key);
    } else if (request.state() == EventState.DEAD) {
      if (key.holdsNewRows()) {
        answer(request, false, "its key is blocked or catching up: fix that first");
      } else {
        again(request, flow.parkedRows.revive(row, key));
      }
    } else {
      boolean published = request.state() == EventState.PUBLISHED;
      answer(request, true, published ? "already published" : "already waits for its turn");
    }
  }

  /**
   * Whether what waits in memory may be what was there before its end, which a replay comes after.
   */
  private static boolean mayBeOver(Entry entry, OperatorRequest request) {
    return request.verb() != OperatorRequest.Verb.REPLAY
        && entry.state == Entry.State.QUEUED
        && !entry.burying
        && (entry.isDoubtful()
            || request.state() == EventState.DEAD
            || request.state() == EventState.PUBLISHED);
  }

  private void retryInMemory(OperatorRequest request, Entry entry) {
    KeyQueue key = entry.key;
    if (entry == key.head && key.backingOff) {
      entry.startOver();
      failures.timers.cancel(key);
      flow.marks.failed(entry, forget(entry, request.reason()));
    }
    answer(request, true, "tried now");
    flow.sender.pumpLater(key);
  }

  private void takeBack(OperatorRequest request, OutboxRow row, KeyQueue key) {
    Entry entry = flow.parkedRows.takeBack(row, key, true);
    if (entry == null) {
      answer(request, true, "waits behind another parked event of its key");
    } else {
      again(request, entry);
    }
  }

  private void again(OperatorRequest request, Entry entry) {
    flow.marks.failed(entry, forget(entry, request.reason()));
    answer(request, true, "tried now");
    // Another one of the key may be asked for as well, and go before it.
    flow.sender.pumpLater(entry.key);
  }

  private void giveUp(OperatorRequest request, OutboxRow row, KeyQueue key) {
    FailurePolicy.Bury policy = burial(request, row);
    Entry entry = key.find(row.ref());
    boolean busy =
        entry != null
            && (entry.state != Entry.State.QUEUED || entry != key.head || entry.requestId != 0);
    boolean buries = key.head != null && key.head != entry && key.head.burying;
    if (busy || buries) {
      // In flight, behind others or being buried, or another of its key is: decided when it is the
      // head and at rest.
      return;
    }
    if (entry == null && request.state() == EventState.PUBLISHED) {
      answer(request, false, "already published");
      flow.looks.soon();
      return;
    }
    if (entry == null && request.state() == EventState.DEAD) {
      answer(request, true, "already dead");
      flow.looks.soon();
      return;
    }
    if (entry == null && !key.isParkedAt(row.ref())) {
      giveUpUnread(request, policy, key);
      return;
    }
    state.meanwhile.takeUp(request.requestId());
    Entry head = entry == null ? flow.parkedRows.putFirst(row, key) : entry;
    if (head.name.isEmpty()) {
      head.wouldGo(flow.sender.destinationOf(row));
    }
    failures.timers.cancel(key);
    head.carriesOut(request.requestId());
    failures.bury(head, policy, verbReason(request), request.reason(), flow);
    flow.advance(key);
  }

  /** The row is not in memory: held behind others, or not read yet. */
  private void giveUpUnread(OperatorRequest request, FailurePolicy.Bury policy, KeyQueue key) {
    OutboxRow row = request.row();
    if (row == null || request.state() != EventState.HELD) {
      // It is about to be read; by the next look it is in memory or published.
      return;
    }
    if (policy.deadLetter() != null) {
      answer(request, false, "it waits behind another event: fix that first, or skip this one");
      return;
    }
    // Until that is durable it is one of those that the key holds: what is read now waits behind
    // it.
    key.held = Math.max(1, key.held);
    Entry entry = new Entry(row, key, state.now);
    state.budget.add(entry);
    entry.staysBehindOthers();
    entry.carriesOut(request.requestId());
    entry.wouldGo(flow.sender.destinationOf(row));
    entry.giveUp(verbReason(request), request.reason());
    state.meanwhile.takeUp(request.requestId());
    failures.buried(entry, flow);
  }

  private void park(OperatorRequest request, OutboxRow row, KeyQueue key) {
    Entry entry = key.find(row.ref());
    if (request.state() == EventState.PUBLISHED || request.state() == EventState.DEAD) {
      answer(request, false, "already " + request.state().name().toLowerCase(Locale.ROOT));
    } else if (key.isParkedAt(row.ref())) {
      answer(request, true, "already parked");
    } else if (entry != null && entry == key.head && entry.state == Entry.State.QUEUED) {
      failures.timers.cancel(key);
      failures.park(entry, "operator", request.reason(), flow);
      answer(request, true, "parked");
    } else if (entry == null && key.parked()) {
      answer(request, false, "its key is already parked at another event");
    }
    // Otherwise others are before it or may be, or it is in flight: looked at again with the next
    // requests.
  }

  private void replay(OperatorRequest request, OutboxRow row, KeyQueue key) {
    if (request.state() != EventState.PUBLISHED && request.state() != EventState.DEAD) {
      answer(request, false, "not published yet: it will be");
      return;
    }
    if (key.holdsNewRows()) {
      answer(request, false, "its key is blocked or catching up: fix that first");
      return;
    }
    state.meanwhile.takeUp(request.requestId());
    Entry entry = new Entry(row.asReplay(), key, state.now);
    entry.carriesOut(request.requestId());
    flow.accept(entry);
  }

  private FailurePolicy.Bury burial(OperatorRequest request, OutboxRow row) {
    if (request.verb() == OperatorRequest.Verb.BURY
        && policies.apply(flow.sender.destinationOf(row)) instanceof FailurePolicy.Bury bury) {
      return bury;
    }
    return new FailurePolicy.Bury(null);
  }

  private static String verbReason(OperatorRequest request) {
    return request.verb() == OperatorRequest.Verb.SKIP ? "skipped" : "buried";
  }

  private static FailedRow forget(Entry entry, String reason) {
    return new FailedRow(entry.row, RowState.RETRY, 0, entry.unknownOutcome, 0, "operator", reason);
  }

  private void answer(OperatorRequest request, boolean done, String note) {
    state.meanwhile.takeUp(request.requestId());
    state.settle.handled(request.answer(done, note), state.now);
  }
}

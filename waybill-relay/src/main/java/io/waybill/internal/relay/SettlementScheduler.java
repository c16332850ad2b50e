package io.waybill.internal.relay;

import io.waybill.internal.relay.SettleBuffer.Batch;
import io.waybill.observe.RelayEvent;
import io.waybill.store.RowRef;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One settlement at a time, repeated until it succeeds. Where many rows fail or wait, they are
 * settled in parts, in turn with what is new. One that the database refuses because of a row is
 * halved until that row is found, while the others are settled: a row that somebody locks is tried
 * again, one that is refused for good is set aside.
 */
final class SettlementScheduler implements EnginePart {
  private static final long LOCKED_PAUSE_NANOS = 2_000_000_000L;
  // Many databases need a statement for each row that fails or waits, and thousands of them take
  // seconds: what is published meanwhile does not wait for all.
  private static final int WAITING_SHARE = 20;
  private static final int FEW_WAITING = 10;
  private static final long LONG_NANOS = 400_000_000L;
  private static final long TOLD_NANOS = 60_000_000_000L;

  private final EngineState state;
  private final KeyFlow flow;
  private final Failures failures;
  private final Channel store = new Channel();
  private @Nullable Batch underway;
  private @Nullable Late underwayLate;
  private long id;
  // Of batches that were refused as a whole.
  private final Deque<Batch> parts = new ArrayDeque<>();
  private final Deque<Late> late = new ArrayDeque<>();
  private boolean partLast;
  // Most rows that fail or wait in one settlement, by how long the last ones took.
  private int mostWaiting;
  private long begunAt;

  /** What is tried again later: refused, or kept from the database by a lock. */
  private record Late(Batch batch, boolean locked, long since, long at, long tellAt) {}

  SettlementScheduler(EngineState state, KeyFlow flow, Failures failures) {
    this.state = state;
    this.flow = flow;
    this.failures = failures;
    this.mostWaiting = mostWaitingEver();
  }

  private int mostWaitingEver() {
    return Math.max(1, state.settings.settleBatch() / WAITING_SHARE);
  }

  /** Whether nothing is under way or waits here. */
  boolean idle() {
    return underway == null && parts.isEmpty() && late.isEmpty();
  }

  /**
   * Whether a note or an answer to an operator may still be written: its lane has to stay here. A
   * change that is tried again later keeps its lane by itself. An answer that is refused keeps
   * none: it may be refused for ever.
   */
  boolean bindsLanes() {
    boolean mayBeWritten = underwayLate == null || underwayLate.locked();
    return state.settle.bindsLanes()
        || (underway != null && mayBeWritten && bindsLanes(underway))
        || parts.stream().anyMatch(SettlementScheduler::bindsLanes)
        || late.stream().anyMatch(one -> one.locked() && bindsLanes(one.batch()));
  }

  private static boolean bindsLanes(Batch batch) {
    return notes(batch) || !batch.settlement().handled().isEmpty();
  }

  private static boolean notes(Batch batch) {
    return !batch.settlement().noted().isEmpty();
  }

  /** Entries whose change is not durable. */
  void eachEntry(Consumer<Entry> action) {
    state.settle.entries().forEach(action);
    if (underway != null) {
      underway.entries().forEach(action);
    }
    parts.forEach(part -> part.entries().forEach(action));
    late.forEach(one -> one.batch().entries().forEach(action));
  }

  /** Entries of rows that are published, and not durably marked so. */
  Map<RowRef, Entry> publishing() {
    Map<RowRef, Entry> found = new HashMap<>();
    eachEntry(
        entry -> {
          if (entry.isPublished()) {
            found.put(entry.row.ref(), entry);
          }
        });
    return found;
  }

  int entries() {
    int entries = underway == null ? 0 : underway.entries().size();
    for (Batch part : parts) {
      entries += part.entries().size();
    }
    for (Late one : late) {
      entries += one.batch().entries().size();
    }
    return entries;
  }

  @Override
  public long deadline() {
    long due = Long.MAX_VALUE;
    if (underway != null || !parts.isEmpty()) {
      due = state.now;
    } else if (!state.settle.isEmpty()) {
      due = bufferDue();
    }
    for (Late one : late) {
      due = Math.min(due, one.at());
    }
    return due == Long.MAX_VALUE ? due : store.deadline(due);
  }

  private long bufferDue() {
    boolean full = state.settle.size() >= state.settings.settleBatch();
    return full || state.settle.urgent() || state.stopping
        ? state.now
        : state.settle.since() + state.settings.settleDelay().toNanos();
  }

  @Override
  public void advance() {
    if (state.session == null || !store.free(state.now)) {
      return;
    }
    if (underway == null) {
      underway = next();
      id++;
    }
    if (underway != null) {
      store.started();
      begunAt = state.now;
      state.emit(new Effect.Settle(id, state.session, underway.settlement()));
    }
  }

  private @Nullable Batch next() {
    underwayLate = null;
    boolean buffered = !state.settle.isEmpty() && state.now - bufferDue() >= 0;
    // In turn, so that rows which are hard to settle keep nobody waiting.
    if (buffered && (partLast || (parts.isEmpty() && !anyLateDue()))) {
      partLast = false;
      return takeBuffer();
    }
    partLast = true;
    Batch part = parts.poll();
    if (part != null) {
      List<Batch> smaller = Parts.byWaiting(part, mostWaiting);
      parts.addAll(smaller.subList(1, smaller.size()));
      return smaller.get(0);
    }
    if (anyLateDue()) {
      Late one = late.remove();
      underwayLate = one;
      return one.batch();
    }
    return buffered ? takeBuffer() : null;
  }

  private boolean anyLateDue() {
    Late first = late.peek();
    return first != null && state.now - first.at() >= 0;
  }

  private Batch takeBuffer() {
    List<Batch> batches = new ArrayList<>();
    for (Batch batch : Parts.byId(superseding(state.settle.take()))) {
      batches.addAll(Parts.byWaiting(batch, mostWaiting));
    }
    parts.addAll(batches.subList(1, batches.size()));
    return batches.get(0);
  }

  /** What is newer about a row replaces what has not been written about it. */
  private Batch superseding(Batch batch) {
    if (parts.isEmpty() && late.isEmpty()) {
      return batch;
    }
    Set<RowRef> rows = Parts.changed(batch.settlement());
    List<Batch> replaced = new ArrayList<>();
    List<Batch> keptParts = new ArrayList<>();
    for (Batch part : parts) {
      replaced.add(Parts.of(part, rows));
      keptParts.add(Parts.without(part, rows));
    }
    parts.clear();
    keptParts.stream().filter(SettlementScheduler::isNeeded).forEach(parts::add);
    List<Late> keptLate = new ArrayList<>();
    for (Late one : late) {
      replaced.add(Parts.of(one.batch(), rows));
      Batch rest = Parts.without(one.batch(), rows);
      keptLate.add(new Late(rest, one.locked(), one.since(), one.at(), one.tellAt()));
    }
    late.clear();
    keptLate.stream().filter(one -> isNeeded(one.batch())).forEach(late::add);
    return Parts.with(batch, replaced);
  }

  private static boolean isNeeded(Batch batch) {
    return batch.size() > 0 || !batch.entries().isEmpty();
  }

  void onFailed() {
    store.failed(state.now);
    Late one = underwayLate;
    if (one != null && underway != null) {
      // Nothing else waits for it while the database is away.
      late.addFirst(one);
      underway = null;
      underwayLate = null;
    }
  }

  /** Returns whether the session has been fenced. */
  boolean onSettled(Input.SettleDone in) {
    store.answered();
    Batch batch = underway;
    if (batch == null || in.effect().id() != id) {
      return false;
    }
    underway = null;
    underwayLate = null;
    if (in.settled().fenced()) {
      return true;
    }
    keepPace(batch);
    state.meanwhile.settled(batch, state.now);
    batch.entries().forEach(flow::settled);
    return false;
  }

  private void keepPace(Batch batch) {
    int waiting = Parts.waiting(batch).size();
    long took = state.now - begunAt;
    if (waiting > 0 && took > LONG_NANOS) {
      mostWaiting = Math.max(Math.min(FEW_WAITING, mostWaitingEver()), mostWaiting / 2);
    } else if (waiting >= mostWaiting && took < LONG_NANOS / 2) {
      mostWaiting = Math.min(mostWaitingEver(), 2 * mostWaiting);
    }
  }

  void onRefused(Input.Refused in) {
    store.answered();
    Batch batch = underway;
    Late before = underwayLate;
    if (batch == null || in.effect().id() != id) {
      return;
    }
    underway = null;
    underwayLate = null;
    if (notes(batch) && !Parts.isNote(batch)) {
      // Whichever is refused, the other does not suffer for it.
      parts.addAll(Parts.changesAndNotes(batch));
    } else if (Parts.divides(batch)) {
      parts.addAll(Parts.halves(batch));
    } else if (!in.locked() && Parts.changesAndAnswers(batch)) {
      // The change first: what is refused may be the answer.
      parts.addAll(Parts.changeAndAnswers(batch));
    } else if (!Parts.isNote(batch)
        && !state.settle.supersedes(batch)
        && (in.locked() || !setAside(batch, in.reason()))) {
      // Else something newer about the row is written in its place, or it was only a note: the
      // next one of the row comes in a minute.
      tryLater(batch, before, in);
    }
  }

  private void tryLater(Batch batch, @Nullable Late before, Input.Refused in) {
    long since = before == null ? state.now : before.since();
    long tellAt = before == null ? state.now + TOLD_NANOS : before.tellAt();
    if (state.now - tellAt >= 0) {
      String event = batch.entries().isEmpty() ? "" : batch.entries().get(0).row.eventId();
      state.tell(new RelayEvent.Unsettled(event, in.reason(), (state.now - since) / 1_000_000));
      tellAt = state.now + TOLD_NANOS;
    }
    late.add(new Late(batch, in.locked(), since, state.now + LOCKED_PAUSE_NANOS, tellAt));
  }

  /** Returns whether the change can be replaced by a note that it was refused. */
  private boolean setAside(Batch batch, String reason) {
    Entry entry =
        batch.entries().stream().filter(each -> !each.row.replay()).findFirst().orElse(null);
    Settlement change = batch.settlement();
    boolean asideAlready = !change.setAside().isEmpty() || !change.held().isEmpty();
    if (entry == null || asideAlready || (entry.queued && entry.state != Entry.State.QUEUED)) {
      return false;
    }
    entry.refused();
    String note = "the database refuses it: " + reason;
    failures.answer(entry, false, note);
    refuseAnswers(Parts.changed(change), note);
    if (!entry.behindOthers) {
      // Behind others it stays held: parked, it could be sent before them.
      flow.parkedRows.setAside(entry, change, reason);
    }
    batch.entries().forEach(flow::settled);
    return true;
  }

  /** What was to be said about rows whose change is refused for good. */
  private void refuseAnswers(Set<RowRef> rows, String note) {
    List<Batch> answers = parts.stream().filter(Parts::onlyAnswers).toList();
    parts.removeAll(answers);
    for (Batch part : answers) {
      for (HandledRequest answer : Parts.of(part, rows).settlement().handled()) {
        state.settle.handled(
            new HandledRequest(answer.requestId(), answer.rowId(), false, note), state.now);
      }
      Batch rest = Parts.without(part, rows);
      if (isNeeded(rest)) {
        parts.add(rest);
      }
    }
  }

  void clear() {
    underway = null;
    underwayLate = null;
    parts.clear();
    late.clear();
    id++;
  }
}

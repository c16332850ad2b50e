package io.waybill.proof.sim.inbox;

import io.waybill.internal.inbox.attempt.Task;
import io.waybill.proof.sim.inbox.InboxTables.Row;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction: what it has looked at is locked, what it has written is seen after its commit. */
final class InboxTx {
  private record Effect(InboxTables.Id id, InboxMessage message) {}

  private final InboxTables tables;
  private final InboxWorld world;
  private final String consumer;
  private final InboxMarks marks;
  private final Set<InboxTables.Id> sighted = new LinkedHashSet<>();
  // What was taken back is locked all the same.
  private final Set<InboxTables.Id> claimed = new LinkedHashSet<>();
  final InboxWrites writes;
  private final List<Effect> effects = new ArrayList<>();
  private @Nullable Row locked;
  private boolean ended;
  private boolean vanished;

  InboxTx(InboxTables tables, String consumer) {
    this.tables = tables;
    this.world = tables.world;
    this.consumer = consumer;
    this.marks = new InboxMarks(tables);
    this.writes = new InboxWrites(tables, consumer);
    tables.open.add(this);
  }

  boolean hasEffects() {
    return !effects.isEmpty();
  }

  /** Null while a concurrent transaction has one of them. */
  @Nullable List<DedupeResult> markSeen(List<DedupeKey> dedupeKeys) {
    if (dedupeKeys.stream().anyMatch(this::isTaken)) {
      return null;
    }
    return dedupeKeys.stream().map(dedupeKey -> markSeen(dedupeKey, false)).toList();
  }

  /** Null while a concurrent transaction has it. */
  @Nullable DedupeResult noteDead(DedupeKey dedupeKey) {
    return isTaken(dedupeKey) ? null : markSeen(dedupeKey, true);
  }

  private boolean isTaken(DedupeKey dedupeKey) {
    InboxTx other = tables.claims.get(id(dedupeKey));
    boolean taken = other != null && other != this;
    if (taken) {
      world.rare(InboxRare.WAITED_FOR_CONCURRENT_COPY);
    }
    return taken;
  }

  private InboxTables.Id id(DedupeKey dedupeKey) {
    return tables.id(consumer, dedupeKey.eventId());
  }

  private DedupeResult markSeen(DedupeKey dedupeKey, boolean inAnyCase) {
    InboxTables.Id id = id(dedupeKey);
    if (sighted.contains(id)) {
      return new DedupeResult.Seen(Duration.ZERO);
    }
    DedupeResult.Seen seen = seen(id);
    if (seen != null) {
      return seen;
    }
    if (!inAnyCase && tables.isBehind(consumer, dedupeKey)) {
      return new DedupeResult.Behind();
    }
    claim(id);
    return new DedupeResult.Fresh();
  }

  /** An open note is none: whoever meets it has the event. */
  private DedupeResult.@Nullable Seen seen(InboxTables.Id id) {
    Long at = tables.processed.get(id);
    boolean open = marks.isThere(id) && world.mutation.looksForMarks();
    return at == null || open || !tables.isProcessed(id)
        ? null
        : new DedupeResult.Seen(Duration.ofNanos(world.time.now() - at));
  }

  private void claim(InboxTables.Id id) {
    if (marks.isThere(id)) {
      world.rare(InboxRare.OPEN_NOTE_TAKEN_OVER);
      marks.remove(id);
    }
    marks.noted(id);
    sighted.add(id);
    claimed.add(id);
    tables.claims.put(id, this);
    if (!world.mutation.claimsInTheSameTransaction()) {
      tables.processed.put(id, world.time.now());
    }
  }

  /** Null while a concurrent transaction has it. */
  @Nullable DedupeResult markSeen(DeferredEvent event, String owner) {
    Row row = tables.deferred.get(new InboxTables.Id(consumer, event.dedupeKey().eventId()));
    if (row != null && row.lockedBy != null && row.lockedBy != this) {
      return null;
    }
    boolean givenUp = row != null && row.event.deadReason() != null && event.deadReason() == null;
    if (row == null || !owner.equals(row.claimedBy) || givenUp) {
      world.rare(InboxRare.CLAIM_LOST);
      return new DedupeResult.Lost();
    }
    InboxTables.Id id = id(event.dedupeKey());
    InboxTx other = tables.claims.get(id);
    if (other != null && other != this) {
      return null;
    }
    row.lockedBy = this;
    locked = row;
    DedupeResult.Seen seen = seen(id);
    if (seen != null) {
      world.rare(InboxRare.DEFERRED_DUPLICATE);
      return seen;
    }
    claim(id);
    return new DedupeResult.Fresh();
  }

  /** False while a concurrent transaction has one of them. */
  boolean takeBack(List<DedupeKey> dedupeKeys) {
    List<InboxTables.Id> ids = dedupeKeys.stream().map(this::id).toList();
    if (isMet(ids)) {
      return false;
    }
    if (world.mutation.takesBack()) {
      Set<InboxTables.Id> others = marks.takenOver(ids);
      for (InboxTables.Id id : ids) {
        sighted.remove(id);
        if (!others.contains(id)) {
          take(id);
          writes.add(() -> tables.processed.remove(id));
        }
      }
    }
    return true;
  }

  /** Whether another transaction has met the notes of some that a statement committed. */
  private boolean isMet(Collection<InboxTables.Id> ids) {
    return ids.stream().anyMatch(id -> tables.claims.getOrDefault(id, this) != this);
  }

  private void take(InboxTables.Id id) {
    claimed.add(id);
    tables.claims.put(id, this);
  }

  /** The server rolls it back, and whoever it told goes on as if it had not: a new one begins. */
  void vanish() {
    vanished = true;
    release();
    sighted.clear();
    effects.clear();
    writes.clear();
    marks.rollback();
  }

  /** Whether a statement, or an error, has ended what it began as. */
  boolean isAnother() {
    return vanished || marks.ended();
  }

  /** Whether that happened before anything was marked. */
  boolean isUnmarkedAnother() {
    return isAnother() && !marks.marked();
  }

  /** Whether its loss would be noticed. It is not where a statement had committed it before. */
  boolean showsItsLoss() {
    return !isAnother();
  }

  void beforeHandlers() {
    marks.beforeHandlers();
  }

  /**
   * A statement of a handler commits what there is.
   *
   * @param by the events that the handler was called with so far
   */
  void commitBy(List<Task> by) {
    marks.beforeStatement();
    for (Task task : by) {
      InboxMessage message = world.message(task.dedupeKey().eventId(), consumer);
      if (world.ledger.applyPart(consumer, message, true) > 1) {
        world.rare(InboxRare.COMMITTED_PART_AGAIN);
      }
    }
    for (Effect effect : effects) {
      if (marks.isThere(effect.id) || !sighted.contains(effect.id)) {
        world.rare(InboxRare.OTHERS_COMMITTED_TOO);
        world.ledger.applyPart(consumer, effect.message, false);
      }
    }
    // Their notes were rolled back before.
    effects.removeIf(effect -> !sighted.contains(effect.id));
    flush();
    release();
  }

  /** A statement of a handler rolls back what there is. */
  void rollBackBy() {
    marks.beforeStatement();
    vanish();
  }

  /** False while a concurrent transaction has met an open note of it. */
  boolean canEnd() {
    return !isMet(marks.open());
  }

  /** Whether notes of it are committed whose handlers are not done with. */
  boolean hasMarks() {
    return marks.open().stream().anyMatch(tables.marks::containsKey);
  }

  /** Whether a commit brings about all that it was begun for. */
  boolean isWhole() {
    if (!marks.marked()) {
      return !vanished || !world.mutation.noticesVanished();
    }
    List<InboxTables.Id> open = List.copyOf(marks.open());
    boolean whole = marks.settle(open) || !world.mutation.asksForItsMarks();
    if (whole) {
      open.forEach(this::take);
    } else if (!vanished) {
      world.rare(InboxRare.TAKEN_OVER_MEANWHILE);
    }
    return whole;
  }

  /** Of one that is not whole: whether its notes are there, and another's by now. */
  boolean isTakenOver() {
    return marks.marked() && !vanished;
  }

  /** Handlers have returned; tells whether no other is to be called. */
  boolean apply(List<Task> tasks) {
    List<InboxTables.Id> ids = tasks.stream().map(task -> id(task.dedupeKey())).toList();
    // What they did before a rollback went with it.
    for (int i = 0; i < ids.size() && !vanished; i++) {
      String eventId = tasks.get(i).dedupeKey().eventId();
      effects.add(new Effect(ids.get(i), world.message(eventId, consumer)));
    }
    return marks.handled(ids);
  }

  void commit() {
    if (!ended) {
      flush();
      end();
    }
  }

  /** What there is gets committed; what is marked is not done with. */
  private void flush() {
    marks.commit();
    for (Effect effect : effects) {
      if (!tables.marks.containsKey(effect.id)) {
        world.ledger.applied(consumer, effect.message);
      }
    }
    for (InboxTables.Id id : sighted) {
      boolean effect = effects.stream().anyMatch(e -> e.id.equals(id));
      if (effect || tables.marks.containsKey(id) || world.mutation.notesTheDead()) {
        tables.processed.put(id, world.time.now());
      }
      if (!tables.marks.containsKey(id)) {
        world.ledger.noted(consumer, world.message(id.eventId(), consumer));
      }
    }
    sighted.retainAll(tables.marks.keySet());
    effects.removeIf(effect -> !tables.marks.containsKey(effect.id));
    writes.carryOut();
  }

  void rollback() {
    if (!ended) {
      end();
    }
  }

  boolean hasEnded() {
    return ended;
  }

  private void end() {
    ended = true;
    tables.open.remove(this);
    marks.rollback();
    release();
  }

  private void release() {
    claimed.forEach(id -> tables.claims.remove(id, this));
    claimed.clear();
    Row row = locked;
    if (row != null) {
      row.lockedBy = null;
      locked = null;
    }
  }
}

package io.waybill.testkit.sim;

import io.waybill.inbox.Task;
import io.waybill.store.DeferredEvent;
import io.waybill.store.Sight;
import io.waybill.store.Sighting;
import io.waybill.testkit.sim.InboxTables.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction: what it has looked at is locked, what it has written is seen after its commit. */
final class InboxTx {
  private final InboxTables tables;
  private final InboxWorld world;
  private final String consumer;
  private final Set<InboxTables.Id> sighted = new LinkedHashSet<>();
  // What was taken back is locked all the same.
  private final Set<InboxTables.Id> claimed = new LinkedHashSet<>();
  private final List<Runnable> writes = new ArrayList<>();
  private final List<InboxMessage> effects = new ArrayList<>();
  private @Nullable Row locked;
  // Starts and ends of the one event that it is about, not yet committed.
  private int ownStarts;
  private boolean ended;
  private boolean vanished;

  InboxTx(InboxTables tables, String consumer) {
    this.tables = tables;
    this.world = tables.world;
    this.consumer = consumer;
  }

  boolean hasEffects() {
    return !effects.isEmpty();
  }

  /** Null while a concurrent transaction has one of them. */
  @Nullable List<Sight> sight(List<Sighting> sightings) {
    if (sightings.stream().anyMatch(this::isTaken)) {
      return null;
    }
    return sightings.stream().map(sighting -> sight(sighting, false)).toList();
  }

  /** Null while a concurrent transaction has it. */
  @Nullable Sight noteDead(Sighting sighting) {
    return isTaken(sighting) ? null : sight(sighting, true);
  }

  private boolean isTaken(Sighting sighting) {
    InboxTx other = tables.claims.get(id(sighting));
    boolean taken = other != null && other != this;
    if (taken) {
      world.rare(InboxRare.WAITED_FOR_CONCURRENT_COPY);
    }
    return taken;
  }

  private InboxTables.Id id(Sighting sighting) {
    return tables.id(consumer, sighting.eventId());
  }

  private Sight sight(Sighting sighting, boolean inAnyCase) {
    InboxTables.Id id = id(sighting);
    if (sighted.contains(id)) {
      return new Sight.Seen(Duration.ZERO);
    }
    Long at = tables.processed.get(id);
    if (at != null && tables.isProcessed(id)) {
      return new Sight.Seen(Duration.ofNanos(world.time.now() - at));
    }
    if (!inAnyCase && tables.isBehind(consumer, sighting)) {
      return new Sight.Behind();
    }
    claim(id);
    return new Sight.Fresh();
  }

  private void claim(InboxTables.Id id) {
    sighted.add(id);
    claimed.add(id);
    tables.claims.put(id, this);
    if (!world.mutation.claimsInTheSameTransaction()) {
      tables.processed.put(id, world.time.now());
    }
  }

  /** Null while a concurrent transaction has it. */
  @Nullable Sight sight(DeferredEvent event, String owner) {
    Row row = tables.deferred.get(new InboxTables.Id(consumer, event.sighting().eventId()));
    if (row != null && row.lockedBy != null && row.lockedBy != this) {
      return null;
    }
    if (row == null || !owner.equals(row.claimedBy)) {
      world.rare(InboxRare.CLAIM_LOST);
      return new Sight.Lost();
    }
    InboxTables.Id id = id(event.sighting());
    InboxTx other = tables.claims.get(id);
    if (other != null && other != this) {
      return null;
    }
    row.lockedBy = this;
    locked = row;
    Long at = tables.processed.get(id);
    if (at != null && tables.isProcessed(id)) {
      world.rare(InboxRare.DEFERRED_DUPLICATE);
      return new Sight.Seen(Duration.ofNanos(world.time.now() - at));
    }
    claim(id);
    return new Sight.Fresh();
  }

  void takeBack(List<Sighting> sightings) {
    if (world.mutation.takesBack()) {
      sightings.forEach(sighting -> sighted.remove(id(sighting)));
    }
  }

  /** The server rolls it back, and whoever it told goes on as if it had not: a new one begins. */
  void vanish() {
    vanished = true;
    release();
    sighted.clear();
    claimed.clear();
    effects.clear();
    writes.clear();
  }

  boolean vanished() {
    return vanished;
  }

  void apply(List<Task> tasks) {
    tasks.forEach(task -> effects.add(world.message(task.sighting().eventId(), consumer)));
  }

  void defer(DeferredEvent event) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.sighting().eventId());
    writes.add(
        () -> {
          long due = world.time.now() + event.delayMillis() * Dice.MS;
          tables.deferred.putIfAbsent(id, new Row(tables.nextSeq(), event, due));
          if (event.deadReason() != null) {
            world.rare(InboxRare.GIVEN_UP);
          }
          world.ledger.deferred(consumer, world.message(id.eventId(), consumer));
        });
  }

  void postpone(DeferredEvent event, String owner) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.sighting().eventId());
    writes.add(
        () -> {
          Row row = tables.deferred.get(id);
          if (row == null || !owner.equals(row.claimedBy)) {
            return;
          }
          long due = world.time.now() + event.delayMillis() * Dice.MS;
          long seq = world.mutation.keepsPlace() ? row.seq : tables.nextSeq();
          boolean wasGivenUp = row.event.deadReason() != null;
          boolean forgets = wasGivenUp && !world.mutation.keepsReasons();
          tables.deferred.put(id, new Row(seq, forgets ? withoutReason(event) : event, due));
          if (event.deadReason() == null) {
            world.rare(InboxRare.POSTPONED);
          } else {
            world.rare(wasGivenUp ? InboxRare.DEFERRED_LETTER_FAILED : InboxRare.GIVEN_UP_LATER);
          }
        });
  }

  private static DeferredEvent withoutReason(DeferredEvent event) {
    return new DeferredEvent(
        event.sighting(),
        event.body(),
        event.headers(),
        event.timestampMicros(),
        event.attempts(),
        event.delayMillis(),
        event.failure(),
        null,
        event.again());
  }

  void forget(DeferredEvent event) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.sighting().eventId());
    if (world.mutation.forgetsInTheSameTransaction()) {
      writes.add(
          () -> {
            tables.deferred.remove(id);
            world.ledger.removed(consumer, world.message(id.eventId(), consumer));
          });
    } else {
      tables.deferred.remove(id);
    }
  }

  /** Counts what is committed and this one. */
  int started(String eventId) {
    InboxTables.Id id = new InboxTables.Id(consumer, eventId);
    writes.add(() -> tables.starts.merge(id, 1, Integer::sum));
    ownStarts++;
    return tables.starts.getOrDefault(id, 0) + ownStarts;
  }

  void endedStart(String eventId) {
    InboxTables.Id id = new InboxTables.Id(consumer, eventId);
    if (world.mutation.notesEnds()) {
      ownStarts -= tables.starts.containsKey(id) ? 1 : 0;
      writes.add(() -> tables.starts.computeIfPresent(id, (k, n) -> n - 1));
    }
  }

  void forgetStarts(String eventId) {
    InboxTables.Id id = new InboxTables.Id(consumer, eventId);
    writes.add(() -> tables.starts.remove(id));
  }

  void commit() {
    if (ended) {
      return;
    }
    for (InboxMessage message : effects) {
      world.ledger.applied(consumer, message);
    }
    for (InboxTables.Id id : sighted) {
      boolean effect = effects.stream().anyMatch(m -> m.id().equals(id.eventId()));
      if (effect || world.mutation.notesTheDead()) {
        tables.processed.put(id, world.time.now());
      }
      world.ledger.noted(consumer, world.message(id.eventId(), consumer));
    }
    writes.forEach(Runnable::run);
    end();
  }

  void rollback() {
    if (!ended) {
      end();
    }
  }

  private void end() {
    ended = true;
    release();
  }

  private void release() {
    claimed.forEach(id -> tables.claims.remove(id, this));
    Row row = locked;
    if (row != null) {
      row.lockedBy = null;
      locked = null;
    }
  }
}

package io.waybill.proof.sim.inbox;

import io.waybill.internal.inbox.attempt.Step;
import io.waybill.proof.sim.inbox.InboxTables.Row;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.DeferredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a transaction writes of deferred events and of starts: it is seen after the commit. */
final class InboxWrites {
  private final InboxTables tables;
  private final InboxWorld world;
  private final String consumer;
  private final List<Runnable> writes = new ArrayList<>();
  // Whose start has ended, not yet committed.
  private final Set<InboxTables.Id> ownEnds = new LinkedHashSet<>();

  InboxWrites(InboxTables tables, String consumer) {
    this.tables = tables;
    this.world = tables.world;
    this.consumer = consumer;
  }

  void add(Runnable write) {
    writes.add(write);
  }

  /** What a step of an attempt asks for. */
  void write(Step step, String owner) {
    if (step instanceof Step.Started started) {
      started(started.eventIds());
    } else if (step instanceof Step.Ended ended) {
      endedStarts(ended.eventIds());
    } else if (step instanceof Step.ForgetStarts forget) {
      forgetStarts(forget.eventIds());
    } else if (step instanceof Step.Defer defer) {
      defer(defer.event());
    } else if (step instanceof Step.DeferAgain again) {
      deferAgain(again.event(), owner);
    } else if (step instanceof Step.Forget forget) {
      forget(forget.event());
    }
  }

  /** The transaction is committed. */
  void carryOut() {
    writes.forEach(Runnable::run);
    clear();
  }

  void clear() {
    writes.clear();
    ownEnds.clear();
  }

  private void defer(DeferredEvent event) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.dedupeKey().eventId());
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

  private void deferAgain(DeferredEvent event, String owner) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.dedupeKey().eventId());
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
            world.rare(InboxRare.DEFERRED_AGAIN);
          } else {
            world.rare(wasGivenUp ? InboxRare.DEFERRED_LETTER_FAILED : InboxRare.GIVEN_UP_LATER);
          }
        });
  }

  private static DeferredEvent withoutReason(DeferredEvent event) {
    return new DeferredEvent(
        event.dedupeKey(),
        event.body(),
        event.headers(),
        event.timestampMicros(),
        event.attempts(),
        event.delayMillis(),
        event.failure(),
        null,
        event.redelivered());
  }

  private void forget(DeferredEvent event) {
    InboxTables.Id id = new InboxTables.Id(consumer, event.dedupeKey().eventId());
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

  Map<String, Integer> openStarts(List<String> eventIds) {
    Map<String, Integer> open = new HashMap<>();
    for (String eventId : eventIds) {
      InboxTables.Id id = new InboxTables.Id(consumer, eventId);
      int starts = tables.starts.getOrDefault(id, 0) - (ownEnds.contains(id) ? 1 : 0);
      if (starts > 0) {
        open.put(eventId, starts);
      }
    }
    return open;
  }

  private void started(List<String> eventIds) {
    for (String eventId : eventIds) {
      InboxTables.Id id = new InboxTables.Id(consumer, eventId);
      writes.add(() -> tables.starts.merge(id, 1, Integer::sum));
    }
  }

  private void endedStarts(List<String> eventIds) {
    if (world.mutation.notesEnds()) {
      for (String eventId : eventIds) {
        InboxTables.Id id = new InboxTables.Id(consumer, eventId);
        ownEnds.add(id);
        writes.add(() -> tables.starts.computeIfPresent(id, (k, n) -> Math.max(0, n - 1)));
      }
    }
  }

  private void forgetStarts(List<String> eventIds) {
    for (String eventId : eventIds) {
      InboxTables.Id id = new InboxTables.Id(consumer, eventId);
      writes.add(() -> tables.starts.remove(id));
    }
  }
}

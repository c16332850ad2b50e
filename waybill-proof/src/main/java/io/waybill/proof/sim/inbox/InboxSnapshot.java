package io.waybill.proof.sim.inbox;

import io.waybill.store.RecordedProgress.Place;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a standby has of the database: all that was committed by then, and nothing else. */
final class InboxSnapshot {
  private final InboxWorld world;
  private final Map<InboxTables.Id, Long> processed;
  private final Map<InboxTables.Id, InboxTables.Row> deferred = new LinkedHashMap<>();
  private final Map<InboxTables.Id, Integer> starts;
  private final Map<InboxTables.Id, InboxMarks> marks;
  private final Map<InboxTables.LaneId, Place> places;
  private final Map<InboxLedger.Entry, InboxLedger.State> ledger;

  InboxSnapshot(InboxWorld world) {
    this.world = world;
    InboxTables tables = world.tables;
    this.processed = new HashMap<>(tables.processed);
    this.starts = new HashMap<>(tables.starts);
    this.marks = new HashMap<>(tables.marks);
    this.places = new HashMap<>(tables.places);
    this.ledger = world.ledger.states();
    tables.deferred.forEach((id, row) -> deferred.put(id, row.copy()));
  }

  /** Nobody knows from where to read a lane whose first note is lost. */
  boolean knowsAllLanes() {
    return places.keySet().containsAll(world.tables.places.keySet());
  }

  /** The standby takes over: what was committed since is gone, and so are all connections. */
  void restore(String server) {
    InboxTables tables = world.tables;
    List.copyOf(tables.open).forEach(InboxTx::rollback);
    tables.deferred.forEach(this::lose);
    deferred.keySet().stream()
        .filter(id -> !tables.deferred.containsKey(id))
        .forEach(id -> world.rare(InboxRare.DEFERRED_CAME_BACK));
    replace(tables.processed, processed);
    replace(tables.deferred, deferred);
    replace(tables.starts, starts);
    replace(tables.places, places);
    replace(tables.marks, marks);
    tables.server = server;
    world.ledger.restore(ledger, this::count);
    starts.forEach(
        (id, n) ->
            world.ledger.opened(id.consumer(), world.message(id.eventId(), id.consumer()), n));
  }

  private void count(InboxLedger.Entry entry, InboxLedger.State state) {
    if (entry.effects > state.effects()) {
      world.rare(InboxRare.EFFECT_LOST_WITH_ITS_SERVER);
    }
    if (entry.deferred && !state.deferred()) {
      world.rare(InboxRare.DEFERRAL_LOST_WITH_ITS_SERVER);
    }
  }

  /** That it was given up may be lost, and its letter is under way. */
  private void lose(InboxTables.Id id, InboxTables.Row row) {
    InboxTables.Row old = deferred.get(id);
    if (row.event.deadReason() != null && (old == null || old.event.deadReason() == null)) {
      InboxMessage message = world.message(id.eventId(), id.consumer());
      world.ledger.entry(id.consumer(), message).offTheRecord = true;
    }
  }

  private static <K, V> void replace(Map<K, V> map, Map<K, V> by) {
    map.clear();
    map.putAll(by);
  }
}

package io.waybill.proof.sim.inbox;

import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The inbox tables of all consumers of a run, as committed. */
final class InboxTables {
  /** Whose row it is. */
  record Id(String consumer, String eventId) {}

  /** Whose lane it is. */
  record LaneId(String consumer, String lane) {}

  /** A row of the table of deferred events. */
  static final class Row {
    final long seq;
    DeferredEvent event;
    long dueAt;
    @Nullable String claimedBy;
    long claimedUntil;
    // The transaction that has looked at it.
    @Nullable InboxTx lockedBy;

    Row(long seq, DeferredEvent event, long dueAt) {
      this.seq = seq;
      this.event = event;
      this.dueAt = dueAt;
    }

    /** As others see it, whoever has it locked. */
    Row copy() {
      Row copy = new Row(seq, event, dueAt);
      copy.claimedBy = claimedBy;
      copy.claimedUntil = claimedUntil;
      return copy;
    }
  }

  final InboxWorld world;
  final Map<Id, Long> processed = new HashMap<>();
  final Map<Id, Row> deferred = new LinkedHashMap<>();
  final Map<Id, Integer> starts = new HashMap<>();
  // Of what is noted as processed though its handler has not returned: who has marked it.
  final Map<Id, InboxMarks> marks = new HashMap<>();
  // Ids in transactions that have not ended.
  final Map<Id, InboxTx> claims = new HashMap<>();
  // Transactions that have not ended.
  final Set<InboxTx> open = new LinkedHashSet<>();
  // How far lanes are.
  final Map<LaneId, Place> places = new HashMap<>();
  String server = "server-1";
  private long seq;
  private boolean up = true;

  InboxTables(InboxWorld world) {
    this.world = world;
  }

  boolean up() {
    return up;
  }

  void setUp(boolean up) {
    this.up = up;
  }

  long nextSeq() {
    return ++seq;
  }

  void note(String consumer, Map<String, Long> positions) {
    positions.forEach(
        (lane, position) -> places.put(new LaneId(consumer, lane), new Place(server, position)));
  }

  RecordedProgress recordedProgress(String consumer, Set<String> lanes) {
    Map<String, Place> found = new HashMap<>();
    for (String lane : lanes) {
      Place place = places.get(new LaneId(consumer, lane));
      if (place != null) {
        found.put(lane, place);
      }
    }
    return new RecordedProgress(server, found);
  }

  Id id(String consumer, String eventId) {
    return new Id(world.mutation.remembersPerConsumer() ? consumer : "", eventId);
  }

  boolean isProcessed(Id id) {
    Long at = processed.get(id);
    return at != null && world.time.now() - at <= world.mutation.window();
  }

  /** Whether an event of the same key is deferred, or it is itself. */
  boolean isBehind(String consumer, DedupeKey dedupeKey) {
    if (!world.mutation.waitsBehindDeferred()) {
      return false;
    }
    if (deferred.containsKey(new Id(consumer, dedupeKey.eventId()))) {
      return true;
    }
    byte[] key = dedupeKey.key();
    return key != null
        && deferred.entrySet().stream()
            .anyMatch(
                e ->
                    e.getKey().consumer.equals(consumer)
                        && isKey(e.getValue(), ByteBuffer.wrap(key)));
  }

  private static boolean isKey(Row row, ByteBuffer key) {
    byte[] own = row.event.dedupeKey().key();
    return own != null && ByteBuffer.wrap(own).equals(key);
  }

  /** Claims heads of keys that are due. */
  List<DeferredEvent> due(String consumer, String owner, long claim, int limit) {
    long now = world.time.now();
    Set<ByteBuffer> keys = new HashSet<>();
    List<DeferredEvent> found = new ArrayList<>();
    for (Row row : inOrder(consumer)) {
      byte[] key = row.event.dedupeKey().key();
      boolean head = key == null || keys.add(ByteBuffer.wrap(key));
      if (!head && world.mutation.handsOutHeadsOnly()) {
        continue;
      }
      boolean free = row.claimedBy == null || row.claimedUntil <= now;
      if (free && row.dueAt <= now && row.lockedBy == null && found.size() < limit) {
        found.add(claim(row, owner, now + claim));
      }
    }
    return found;
  }

  private DeferredEvent claim(Row row, String owner, long until) {
    boolean again = row.claimedBy != null;
    if (again) {
      world.rare(InboxRare.CLAIM_RAN_OUT);
    }
    row.claimedBy = owner;
    row.claimedUntil = until;
    DeferredEvent e = row.event;
    byte[] body = e.body();
    return new DeferredEvent(
        e.dedupeKey(),
        body == null ? new byte[0] : body,
        e.headers(),
        e.timestampMicros(),
        e.attempts(),
        0,
        e.failure(),
        e.deadReason(),
        again);
  }

  private List<Row> inOrder(String consumer) {
    return deferred.entrySet().stream()
        .filter(e -> e.getKey().consumer.equals(consumer))
        .map(Map.Entry::getValue)
        .sorted((a, b) -> Long.compare(a.seq, b.seq))
        .toList();
  }

  void release(String owner) {
    for (Row row : deferred.values()) {
      if (owner.equals(row.claimedBy)) {
        row.claimedBy = null;
      }
    }
  }
}

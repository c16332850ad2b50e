package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Scheduler;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.FailedRow;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The outbox as tables: rows with their states, and what of them is on disk. */
final class SimDatabase {
  private final Scheduler time;
  private final Observations seen;
  private final Mutation mutation;
  private final boolean keepPublished;
  private final List<SimRow> rows = new ArrayList<>();
  // The last row that got an id; one that was removed keeps it until it comes again.
  private Map<Long, SimRow> byId = new HashMap<>();
  private final List<TreeMap<Long, SimRow>> waiting = new ArrayList<>();
  // Commits that are not on disk, in the order of the log.
  private final List<List<SimRow>> unflushed = new ArrayList<>();
  private final Set<SimRow> blocked = new LinkedHashSet<>();
  final Set<String> paused = new TreeSet<>();
  private long clockOffset;
  private int crashes;
  private int endings;
  private int servers = 1;
  private String history = "server 1";
  private long lastId;
  private long highestId;
  private boolean up = true;

  SimDatabase(Scheduler time, Observations seen, Mutation mutation, Swarm swarm) {
    this.time = time;
    this.seen = seen;
    this.mutation = mutation;
    this.keepPublished = swarm.keepPublished;
    for (int i = 0; i < swarm.lanes; i++) {
      waiting.add(new TreeMap<>());
    }
  }

  /** The database's own clock. */
  long clock() {
    return time.now() + clockOffset;
  }

  void jumpClock(long nanos) {
    clockOffset += nanos;
  }

  boolean up() {
    return up;
  }

  void setUp(boolean up) {
    this.up = up;
  }

  /** Grows with every crash: connections of before are gone. */
  int crashes() {
    return crashes;
  }

  /** Grows whenever all transactions end that are open. */
  int endings() {
    return endings;
  }

  /** What was not flushed is forgotten, from some commit on. */
  void crash(Dice dice) {
    crashes++;
    endings++;
    int kept = unflushed.isEmpty() ? 0 : dice.upTo(unflushed.size() + 1);
    if (kept > 0 && kept < unflushed.size()) {
      seen.rare(RareState.CRASH_WITH_DURABLE_PREFIX);
    }
    unflushed.subList(kept, unflushed.size()).forEach(this::lose);
    flush();
  }

  private void lose(List<SimRow> commit) {
    for (SimRow row : commit) {
      row.life = SimRow.Life.LOST;
      waiting.get(row.lane).remove(row.id, row);
      seen.lost(row);
    }
  }

  void flush() {
    if (!unflushed.isEmpty()) {
      unflushed.forEach(commit -> commit.forEach(row -> row.durable = true));
      unflushed.clear();
    }
  }

  int unflushedCommits() {
    return unflushed.size();
  }

  /** Whether the row before this one by id was never committed. */
  boolean isAboveGap(SimRow row) {
    SimRow before = byId.get(row.id - 1);
    return before != null && before.life == SimRow.Life.ROLLED_BACK;
  }

  /**
   * The next id of the sequence that no row has: an insert under a used one is refused and
   * repeated.
   */
  long nextId() {
    do {
      lastId++;
    } while (isTaken(byId.get(lastId)));
    return lastId;
  }

  private boolean isTaken(@Nullable SimRow row) {
    return row != null && (row.life == SimRow.Life.OPEN || exists(row));
  }

  /** Name of the server's history. */
  String history() {
    return history;
  }

  /** What a server holds besides the states of its rows. */
  record Content(String history, long lastId, Map<Long, SimRow> byId) {}

  Content content() {
    return new Content(history, lastId, new HashMap<>(byId));
  }

  /**
   * Connections are gone, and the database goes on from there.
   *
   * @param named whether the server has a name that no other had
   */
  void restore(Content content, boolean named) {
    crashes++;
    endings++;
    servers += named ? 1 : 0;
    history = named ? "server " + servers : content.history();
    lastId = content.lastId();
    byId = new HashMap<>(content.byId());
    unflushed.clear();
  }

  /** Somebody ends all transactions, removes every row, and lets numbers begin again. */
  void empty() {
    endings++;
    for (SimRow row : rows) {
      if (exists(row)) {
        remove(row);
      }
    }
    lastId = 0;
  }

  /** Somebody lets numbers begin again. */
  void resetSequence() {
    lastId = 0;
  }

  void insert(SimRow row) {
    rows.add(row);
    if (row.id <= highestId) {
      seen.rare(RareState.ID_GIVEN_OUT_AGAIN);
    }
    highestId = Math.max(highestId, row.id);
    SimRow before = byId.put(row.id, row);
    if (before == null) {
      return;
    }
    if (before.failure != null || before.held || (keepPublished && before.published)) {
      seen.rare(RareState.ID_WITH_A_STATE_GIVEN_OUT_AGAIN);
    }
    if (!mutation.keeps(Rule.KNOWS_REUSED_IDS)) {
      row.published = keepPublished && before.published;
      row.failure = before.failure;
      row.held = before.held;
    }
  }

  void commit(List<SimRow> written, boolean synchronous) {
    for (SimRow row : written) {
      row.life = SimRow.Life.COMMITTED;
      row.visibleAt = time.now();
      changed(row);
      seen.committed(row);
    }
    unflushed.add(written);
    if (synchronous) {
      flush();
    }
  }

  /** The row of this id and time of creation, whether the database still knows it or not. */
  SimRow row(RowRef ref) {
    SimRow last = byId.get((Long) ref.rowId());
    if (last != null && last.row.createdAtMicros() == ref.createdAtMicros()) {
      return last;
    }
    for (SimRow row : rows) {
      if (row.id == (Long) ref.rowId() && row.row.createdAtMicros() == ref.createdAtMicros()) {
        return row;
      }
    }
    throw new Violation("every row is known", ref.toString());
  }

  /** The row of an event, whether the database still knows it or not. */
  SimRow event(String eventId) {
    return rows.get(Integer.parseInt(eventId.substring(1)) - 1);
  }

  List<SimRow> rows() {
    return rows;
  }

  Iterable<SimRow> waiting(int lane) {
    return waiting.get(lane).values();
  }

  /** Rows with a failure on record, and held rows, in the order of their ids. */
  List<SimRow> blocked(Set<Integer> lanes) {
    return blocked.stream()
        .filter(row -> lanes.contains(row.lane))
        .sorted(Comparator.comparingLong(row -> row.id))
        .toList();
  }

  /** What only an owner knew about its sends is gone when it gives the lane back. */
  void forgetUnknowns(int lane) {
    for (SimRow row : rows) {
      if (row.lane == lane) {
        row.unknownTo = 0;
      }
    }
  }

  int blockedRows() {
    return blocked.size();
  }

  /** Whether the row can still be selected. */
  boolean exists(@Nullable SimRow row) {
    return row != null && row.life == SimRow.Life.COMMITTED && (keepPublished || !row.published);
  }

  /** Somebody removes the row with SQL. What stands beside it stays. */
  void remove(SimRow row) {
    row.life = SimRow.Life.REMOVED;
    changed(row);
    flush();
  }

  /** Somebody marks the row as published with SQL. */
  void mark(SimRow row) {
    row.published = true;
    row.markedByHand = true;
    changed(row);
    flush();
  }

  /** Somebody removes what is recorded of the row, so that it waits again. */
  void setBack(SimRow row) {
    row.failure = null;
    row.setBack = true;
    changed(row);
    flush();
  }

  /**
   * Somebody gives the row up with SQL: what a relay has of it in memory is what was there before.
   */
  void giveUp(SimRow row) {
    row.failure = new FailedRow(row.row, RowState.DEAD, 0, false, 0, SimRow.BY_HAND, "with SQL");
    row.held = false;
    row.note = null;
    row.everDead = true;
    // Who gives it up takes the copy that may exist into account.
    row.unknownTo = 0;
    row.setBack = true;
    seen.revivals.ended(row);
    changed(row);
    flush();
  }

  /** Files the row where its state belongs. */
  void changed(SimRow row) {
    if (row.waits()) {
      waiting.get(row.lane).put(row.id, row);
    } else {
      waiting.get(row.lane).remove(row.id, row);
    }
    boolean isThere = row.life == SimRow.Life.COMMITTED;
    boolean isBlocked = isThere && (row.held || (row.failure != null && !row.in(RowState.DEAD)));
    if (isBlocked) {
      blocked.add(row);
    } else {
      blocked.remove(row);
    }
  }

  /** A table beside the outbox has one record for an id: it replaces that of an earlier row. */
  void recorded(SimRow row) {
    changed(row);
    for (SimRow other : List.copyOf(blocked)) {
      if (other != row && other.id == row.id) {
        other.held &= !row.held;
        other.failure = row.failure == null ? other.failure : null;
        changed(other);
      }
    }
  }
}

package io.waybill.testkit.sim;

import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The outbox as tables: rows with their states, and what of them is on disk. */
final class SimDatabase {
  private final Scheduler time;
  private final Observations seen;
  private final boolean keepPublished;
  private final List<SimRow> rows = new ArrayList<>();
  private final List<TreeMap<Long, SimRow>> waiting = new ArrayList<>();
  // Commits that are not on disk, in the order of the log.
  private final List<List<SimRow>> unflushed = new ArrayList<>();
  private final Set<SimRow> blocked = new LinkedHashSet<>();
  final Set<String> paused = new TreeSet<>();
  private long clockOffset;
  private int crashes;
  private boolean up = true;

  SimDatabase(Scheduler time, Observations seen, Swarm swarm) {
    this.time = time;
    this.seen = seen;
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

  /** What was not flushed is forgotten, from some commit on. */
  void crash(Dice dice) {
    crashes++;
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
      waiting.get(row.lane).remove(row.id);
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
    return row.id > 1 && row(row.id - 1).life == SimRow.Life.ROLLED_BACK;
  }

  long nextId() {
    return rows.size() + 1L;
  }

  void insert(SimRow row) {
    rows.add(row);
  }

  void commit(List<SimRow> written, boolean synchronous) {
    for (SimRow row : written) {
      row.life = SimRow.Life.COMMITTED;
      row.visibleAt = time.now();
      waiting.get(row.lane).put(row.id, row);
      seen.committed(row);
    }
    unflushed.add(written);
    if (synchronous) {
      flush();
    }
  }

  SimRow row(long id) {
    return rows.get((int) id - 1);
  }

  List<SimRow> rows() {
    return rows;
  }

  Iterable<SimRow> waiting(int lane) {
    return waiting.get(lane).values();
  }

  /** Rows with a failure on record, and held rows, in the order of their ids. */
  List<SimRow> blocked(Set<Integer> lanes) {
    TreeMap<Long, SimRow> found = new TreeMap<>();
    for (SimRow row : blocked) {
      if (lanes.contains(row.lane)) {
        found.put(row.id, row);
      }
    }
    return List.copyOf(found.values());
  }

  /** What only an owner knew about its sends is gone when it gives the lane back. */
  void forgetUnknowns(int lane) {
    for (SimRow row : rows) {
      if (row.lane == lane) {
        row.unknownFence = 0;
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

  /** Files the row where its state belongs. */
  void changed(SimRow row) {
    if (row.waits()) {
      waiting.get(row.lane).put(row.id, row);
    } else {
      waiting.get(row.lane).remove(row.id);
    }
    boolean isThere = row.life == SimRow.Life.COMMITTED;
    boolean isBlocked = isThere && (row.held || (row.failure != null && !row.in(RowState.DEAD)));
    if (isBlocked) {
      blocked.add(row);
    } else {
      blocked.remove(row);
    }
  }
}

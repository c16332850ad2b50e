package io.waybill.proof.sim.relay;

import io.waybill.message.EventKey;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One relay's reader, by windows: a snapshot is paged to its end before the next is taken. A read
 * has two halves, so that the database can crash between the snapshot and the flush.
 */
final class SimReader {
  // So small that most backlogs of a run have several.
  private static final int BACKLOG_PAGE = 2;

  private final SimDatabase database;
  private final SimSessions sessions;
  private final Observations seen;
  private final Mutation mutation;
  private final Set<Integer> assigned = new TreeSet<>();
  private final BitSet returned = new BitSet();
  private final ArrayDeque<SimRow> window = new ArrayDeque<>();
  private long lastReturned;
  private Session session = Session.NONE;
  // Lanes were assigned after the window was taken.
  private boolean unscanned;
  // Lanes of which not all that is blocked has been returned: nothing else of theirs is.
  private final List<Scan> scans = new ArrayList<>();
  private boolean scannedLast;

  /** How far what is blocked in some lanes has been returned: failed rows first, then held ones. */
  private static final class Scan {
    final Set<Integer> lanes;
    long after;
    boolean held;

    Scan(Set<Integer> lanes) {
      this.lanes = new TreeSet<>(lanes);
    }
  }

  SimReader(SimDatabase database, SimSessions sessions, Observations seen, Mutation mutation) {
    this.database = database;
    this.sessions = sessions;
    this.seen = seen;
    this.mutation = mutation;
  }

  Backlog assign(Session session, Set<Integer> lanes) {
    if (!session.is(this.session)) {
      // What was known may be of another history.
      assigned.clear();
      scans.clear();
      returned.clear();
      window.clear();
    }
    this.session = session;
    revoke(lanes);
    for (SimRow row : database.rows()) {
      if (lanes.contains(row.lane)) {
        returned.clear(row.number);
      }
    }
    Scan scan = new Scan(lanes);
    scans.add(scan);
    Backlog failed = take(scan, scan(scan));
    Backlog held = scan.held ? take(scan, scan(scan)) : Backlog.NONE;
    return new Backlog(failed.failed(), held.held());
  }

  /** The next few of what is blocked. */
  private List<SimRow> scan(Scan scan) {
    return database.blocked(scan.lanes).stream()
        .filter(row -> row.id > scan.after && (row.failure == null) == scan.held)
        .limit(BACKLOG_PAGE)
        .toList();
  }

  private Backlog take(Scan scan, List<SimRow> page) {
    List<FailedRow> failed = new ArrayList<>();
    Map<EventKey, HeldKey> held = new LinkedHashMap<>();
    for (SimRow row : page) {
      scan.after = row.id;
      if (row.published) {
        // The table's own word counts.
        continue;
      }
      if (row.failure != null) {
        failed.add(current(row, row.failure));
      } else {
        held.merge(
            HeldKey.nameOf(row.row),
            new HeldKey(HeldKey.nameOf(row.row), row.lane, 1),
            (one, other) -> new HeldKey(one.key(), one.lane(), one.rows() + other.rows()));
      }
    }
    boolean last = page.size() < BACKLOG_PAGE || !mutation.keeps(Rule.PAGES_BACKLOGS);
    if (last && scan.held) {
      scans.remove(scan);
      assigned.addAll(scan.lanes);
      unscanned = true;
    } else if (last) {
      scan.held = true;
      scan.after = 0;
    } else {
      seen.rare(RareState.BACKLOG_IN_PAGES);
    }
    return mutation.backlog(new Backlog(failed, List.copyOf(held.values())));
  }

  private FailedRow current(SimRow row, FailedRow failure) {
    long left = Math.max(0, row.retryAt - database.clock()) / Dice.MS;
    return new FailedRow(
        failure.row().sends(Math.max(failure.row().sends(), row.shownSends)),
        failure.state(),
        failure.attempts(),
        failure.unknownOutcome(),
        failure.state() == RowState.RETRY ? left : 0,
        failure.reason(),
        failure.detail());
  }

  void renewed(Session now) {
    if (now.is(session)) {
      session = now;
    }
  }

  Session session() {
    return session;
  }

  void revoke(Set<Integer> lanes) {
    assigned.removeAll(lanes);
    scans.forEach(scan -> scan.lanes.removeAll(lanes));
    scans.removeIf(scan -> scan.lanes.isEmpty());
    window.removeIf(row -> lanes.contains(row.lane));
  }

  Set<Integer> assigned() {
    return assigned;
  }

  /** A page of a read: chosen, and not yet known to be durable. */
  record Page(List<SimRow> rows, boolean more, boolean scan) {
    ReadResult result() {
      List<OutboxRow> out = new ArrayList<>(rows.size());
      rows.forEach(row -> out.add(row.read()));
      return new ReadResult(out, more);
    }
  }

  /** A fenced session reads nothing of what others may have written since. */
  private boolean isFenced() {
    if (sessions.alive(session)) {
      return false;
    }
    seen.rare(RareState.READ_OF_A_FENCED_RELAY);
    return mutation.keeps(Rule.FENCES_READS);
  }

  /** The first half: which rows the read sees. */
  Page look(int maxRows, long maxBytes) {
    if (isFenced()) {
      return new Page(List.of(), false, false);
    }
    scannedLast = !scans.isEmpty() && (assigned.isEmpty() || !scannedLast);
    if (scannedLast) {
      return new Page(List.of(), true, true);
    }
    if (window.isEmpty()) {
      takeSnapshot();
    }
    List<SimRow> page = new ArrayList<>();
    long bytes = 0;
    boolean more = unscanned || !scans.isEmpty();
    for (SimRow row : window) {
      if (row.waits() && assigned.contains(row.lane)) {
        boolean full = page.size() == maxRows || (bytes >= maxBytes && !page.isEmpty());
        if (full && mutation.keeps(Rule.BOUNDS_READS)) {
          more = true;
          break;
        }
        bytes += row.row.sizeBytes();
        page.add(row);
      }
    }
    return new Page(page, more, false);
  }

  private void takeSnapshot() {
    unscanned = false;
    List<SimRow> found = new ArrayList<>();
    long clock = database.clock();
    for (int lane : assigned) {
      for (SimRow row : database.waiting(lane)) {
        if (!returned.get(row.number)
            // A clock that was set back may stand below zero.
            && (row.availableAt == 0
                || row.availableAt <= clock
                || !mutation.keeps(Rule.WAITS_FOR_DELAYS))
            && mutation.readable(row, lastReturned)) {
          found.add(row);
        }
      }
    }
    found.sort(mutation.order());
    window.addAll(found);
  }

  /** The second half: the rows are on disk, and count as returned. */
  ReadResult finish(Page page) {
    if (mutation.keeps(Rule.FLUSHES_READS)) {
      database.flush();
    }
    markReturned(page);
    if (page.scan() && !scans.isEmpty()) {
      Scan scan = scans.get(0);
      return ReadResult.blocked(take(scan, scan(scan)));
    }
    return page.result();
  }

  void markReturned(Page page) {
    for (SimRow row : page.rows()) {
      returned.set(row.number);
      lastReturned = Math.max(lastReturned, row.id);
    }
    window.removeIf(row -> returned.get(row.number) || !row.waits());
  }

  /** The snapshot died with its connection. */
  void forgetWindow() {
    window.clear();
  }

  /** Somebody has set the row back: to a reader by places it is a new one. */
  void setBack(SimRow row) {
    returned.clear(row.number);
  }

  List<RowLook> look(List<RowRef> rows, SimRequests requests) {
    List<RowLook> looks = new ArrayList<>();
    for (RowRef ref : rows) {
      SimRow row = database.row(ref);
      OutboxRow now = database.exists(row) ? row.read() : null;
      looks.add(mutation.look(new RowLook(ref, now, requests.state(row)), row.row));
    }
    return looks;
  }

  ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    if (isFenced()) {
      return new ReadResult(List.of(), false);
    }
    Set<EventKey> wanted = new HashSet<>(keys);
    List<OutboxRow> out = new ArrayList<>();
    long bytes = 0;
    for (SimRow row : database.blocked(assigned)) {
      if (row.held && !row.published && wanted.contains(HeldKey.nameOf(row.row))) {
        if (out.size() == maxRows || (bytes >= maxBytes && !out.isEmpty())) {
          return new ReadResult(out, true);
        }
        bytes += row.row.sizeBytes();
        out.add(row.read());
      }
    }
    return new ReadResult(out, false);
  }
}

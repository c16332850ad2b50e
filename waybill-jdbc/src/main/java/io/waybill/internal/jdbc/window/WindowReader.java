package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.window.ReaderStatements.Glance;
import io.waybill.internal.jdbc.window.ReaderStatements.TablePosition;
import io.waybill.internal.jdbc.window.ReaderStatements.Window;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads on in one group of lanes: from a cold start by primary key, then window by window. A group
 * changes only after its statements succeeded, so a failed step is simply taken again.
 */
final class WindowReader {
  private static final Logger LOG = LoggerFactory.getLogger(WindowReader.class);
  // A step ends after some statements even if all of them found only rows of other lanes.
  private static final int PAGES_PER_STEP = 8;
  private static final int DUE_STEP = 20_000;

  private final ReaderStatements statements;
  private final Floor floor;
  private long lastHighId = -1;
  private long positions;
  private int lanes;
  private boolean renumbered;

  WindowReader(ReaderStatements statements) {
    this.statements = statements;
    this.floor = new Floor(statements);
  }

  /** A page at the end of the table and a window after it, for a session that nobody has. */
  void warmUp(Limits limits) {
    Header header = statements.position().header();
    Position target = position(header);
    LaneGroup group = new LaneGroup(Set.of(0));
    group.horizon(header.nowMicros());
    long after = Math.max(0, target.high() - limits.rows());
    floor.raise(target, after + 1);
    group.scan(new Scan(Snapshot.NONE, target, after));
    pages(group, limits);
    group.reach(target);
    look(group, limits);
  }

  List<OutboxRow> step(LaneGroup group, Limits limits) {
    if (group.seen() == null && group.scan() == null) {
      openCold(group);
    }
    if (group.scan() != null) {
      return pages(group, limits);
    }
    if (group.dueScan() != null) {
      return due(group, limits);
    }
    return window(group, limits);
  }

  /** Moves a group to the position of another one. */
  List<OutboxRow> follow(LaneGroup group, Position target, Limits limits) {
    group.scan(new Scan(group.position().snapshot(), target, group.position().start(statements)));
    return pages(group, limits);
  }

  /** Moves the horizon of a group. */
  List<OutboxRow> followDue(LaneGroup group, long untilMicros, Limits limits) {
    group.dueScan(new DueScan(untilMicros));
    return due(group, limits);
  }

  void reconnected() {
    lastHighId = -1;
    floor.reconnected();
  }

  /** Positions of another history mean nothing. */
  void forget() {
    lastHighId = -1;
    floor.forget();
  }

  private void openCold(LaneGroup group) {
    if (lastHighId < 0) {
      lastHighId = statements.position().header().highId();
    }
    TablePosition position = statements.position();
    lastHighId = Math.min(lastHighId, position.header().highId());
    lanes = position.lanes();
    statements.makeDurable(position.header());
    group.horizon(position.header().nowMicros());
    Position target = position(position.header());
    group.scan(new Scan(Snapshot.NONE, target, floor.raise(target, position.lowestId())));
  }

  private List<OutboxRow> window(LaneGroup group, Limits limits) {
    if (unchanged(group)) {
      return List.of();
    }
    Window window = look(group, limits);
    Header header = window.header();
    requireOnward(group.position(), header, limits.session());
    if (numbersBeginAgain(header)) {
      return List.of();
    }
    group.found(!window.rows().isEmpty() || header.size() > 0);
    boolean overflow = header.size() > limits.rows();
    if (overflow || !window.rows().isEmpty()) {
      statements.makeDurable(header);
    } else if (!header.durable()) {
      // The snapshot may see transactions whose numbers a crash would give out again. Keeping the
      // old one costs nothing as long as no rows come.
      return List.of();
    }
    if (overflow) {
      return follow(group, position(header), limits);
    }
    advance(group, window, limits);
    if (header.due() && group.dueScan() == null) {
      long until = statements.nextDue(group.horizonMicros(), header.nowMicros(), DUE_STEP);
      group.dueScan(new DueScan(until));
      return window.rows().isEmpty() && group.scan() == null ? due(group, limits) : window.rows();
    }
    return window.rows();
  }

  /**
   * Somebody has emptied the table or reset its sequence: ids of before say nothing of new rows.
   * The group is read from the start, and so are others when they come to it.
   */
  private boolean numbersBeginAgain(Header header) {
    if (header.highId() >= lastHighId) {
      return false;
    }
    LOG.warn(
        "The sequence of the outbox's ids went back from {} to {}: the table was emptied or the"
            + " sequence reset. All lanes are read from the start",
        lastHighId,
        header.highId());
    lastHighId = header.highId();
    renumbered = true;
    return true;
  }

  /** Whether ids began again since the last call. */
  boolean renumbered() {
    boolean was = renumbered;
    renumbered = false;
    return was;
  }

  /** The log and the numbers of transactions go on, through crashes, too. */
  private static void requireOnward(Position since, Header header, Session session) {
    if (header.log() < since.log() || header.snapshot().xmax() < since.snapshot().xmax()) {
      throw new SessionLostException(
          session,
          "The database was set back: its log stood at %X with transaction %d and stands at %X with"
                  .formatted(since.log(), since.snapshot().xmax(), header.log())
              + " transaction "
              + header.snapshot().xmax());
    }
  }

  /** In a database where nothing happens, all is said by the snapshot being the same. */
  private boolean unchanged(LaneGroup group) {
    Header still = group.still();
    if (still == null) {
      return false;
    }
    Glance now = statements.glance();
    if (now.snapshot().equals(still.snapshot().text()) && !still.due(now.nowMicros())) {
      return true;
    }
    group.still(null);
    return false;
  }

  private Window look(LaneGroup group, Limits limits) {
    if (group.quiet()) {
      Header header = statements.peek(group, limits);
      if (header.size() == 0) {
        boolean same = header.durable() && header.snapshot().equals(group.position().snapshot());
        group.still(same ? header : null);
        return new Window(header, List.of());
      }
    }
    return statements.window(group, all(group), limits);
  }

  private void advance(LaneGroup group, Window window, Limits limits) {
    Position next = position(window.header());
    if (cut(window.rows(), limits)) {
      group.scan(new Scan(group.position().snapshot(), next, lastId(window.rows())));
    } else {
      group.reach(next);
    }
  }

  private List<OutboxRow> pages(LaneGroup group, Limits limits) {
    for (int page = 0; page < PAGES_PER_STEP; page++) {
      Scan scan = group.scan();
      if (scan == null) {
        return List.of();
      }
      List<OutboxRow> rows =
          scan.finished() ? List.of() : statements.page(group, scan, all(group), limits);
      Scan next = next(scan, rows, limits);
      if (next.finished()) {
        group.reach(next.target());
      } else {
        group.scan(next);
      }
      if (!rows.isEmpty()) {
        return rows;
      }
    }
    return List.of();
  }

  private Scan next(Scan scan, List<OutboxRow> rows, Limits limits) {
    if (rows.size() == limits.rows() || cut(rows, limits)) {
      return scan.from(lastId(rows));
    }
    // Ids may have large gaps, so an empty stretch is followed by a jump to the next row.
    boolean jump = rows.isEmpty() && scan.until() < scan.target().high();
    return scan.from(jump ? statements.nextId(scan.until()) - 1 : scan.until());
  }

  private List<OutboxRow> due(LaneGroup group, Limits limits) {
    DueScan due = group.dueScan();
    for (int list = 0; due != null; ) {
      if (due.needsList()) {
        if (list == PAGES_PER_STEP) {
          return List.of();
        }
        statements.list(group, due);
        list++;
      }
      if (due.finished()) {
        group.horizon(due.untilMicros());
        return List.of();
      }
      if (due.needsList()) {
        // All that was listed is of other lanes.
        continue;
      }
      List<Long> ids = due.next(limits.rows());
      List<OutboxRow> rows = statements.byId(group, ids, limits);
      due.taken(cut(rows, limits) ? lastId(rows) : ids.get(ids.size() - 1));
      if (!rows.isEmpty()) {
        return rows;
      }
    }
    return List.of();
  }

  private Position position(Header header) {
    // The sequence as an earlier statement saw it: transactions that this snapshot does not know
    // yet take their ids above it.
    long low = Math.max(0, lastHighId - 1);
    lastHighId = header.highId();
    return new Position(
        header.snapshot(), header.nextXid(), header.log(), low, header.highId(), ++positions);
  }

  private boolean all(LaneGroup group) {
    return group.lanes().size() == lanes;
  }

  private static boolean cut(List<OutboxRow> rows, Limits limits) {
    return rows.stream().mapToLong(OutboxRow::readBytes).sum() >= limits.bytes();
  }

  private static long lastId(List<OutboxRow> rows) {
    return (Long) rows.get(rows.size() - 1).rowId();
  }
}

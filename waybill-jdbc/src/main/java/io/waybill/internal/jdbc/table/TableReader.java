package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.BacklogScan;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.RequestPages;
import io.waybill.internal.jdbc.table.TableDecoder.Placed;
import io.waybill.internal.jdbc.table.TableStatements.Page;
import io.waybill.internal.work.Ticker;
import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of any layout by place: a page behind the last row, and rescans for rows that
 * became visible before it. What has been returned is remembered until a rescan no longer shows it.
 *
 * <p>The page is read first and the rescan after it, so that the rescan sees every row that was
 * committed before one of the page; and what the rescan found is returned first.
 */
public final class TableReader implements OutboxReader {
  // More late rows than this are read by starting over, page by page.
  private static final int LATE = 1000;
  // A read ends after some pages even if all their rows have been returned before.
  private static final int PAGES_PER_READ = 16;

  private final Database database;
  private final TableStatements statements;
  private final TableSide side;
  private final RequestPages requestPages = new RequestPages();
  private final RowClaims claims;
  private final boolean singleLane;
  private final Set<Integer> lanes = new TreeSet<>();
  private final Returned returned = new Returned();
  private final Rescan rescan;
  private final InversionDetector detector;
  private final History history;
  // Lanes of which not all that is blocked has been returned: nothing else of theirs is.
  private final List<BacklogScan> scans = new ArrayList<>();
  private List<Integer> filter = List.of();
  private boolean scannedLast;
  private int laneCount;
  private @Nullable Place place;
  private Session session = Session.NONE;

  public TableReader(
      Database database,
      TableStatements statements,
      TableSide side,
      RowClaims claims,
      History history,
      Table table,
      Ticker ticker) {
    this.database = database;
    this.history = history;
    this.statements = statements;
    this.side = side;
    this.claims = claims;
    this.singleLane = table.singleLane();
    this.rescan = new Rescan(ticker);
    this.detector = new InversionDetector(table.name());
  }

  /** What the reader has to know of a table. */
  public record Table(String name, boolean singleLane) {}

  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, Session.NONE);
    history.name();
    new BacklogScan(side, Session.NONE, Set.of(0)).first();
    side.requests(List.of(0), Long.MAX_VALUE, maxRows);
    side.pausedDestinations();
    return statements.waiting(limits).rows().stream().map(Placed::row).toList();
  }

  @Override
  public Backlog assign(Session session, Set<Integer> added) {
    if (added.isEmpty()) {
      return Backlog.NONE;
    }
    if (!session.is(this.session)) {
      // What was known may be of another history.
      lanes.clear();
      scans.clear();
      returned.clear();
      detector.clear();
    }
    this.session = session;
    history.require(session);
    int all = statements.laneCount();
    BacklogScan scan = new BacklogScan(side, session, added);
    Backlog backlog = claims.claim(session, scan.first());
    revoke(added);
    laneCount = all;
    if (scan.finished()) {
      start(added);
    } else {
      scans.add(scan);
    }
    return backlog;
  }

  /** All that is blocked in these lanes has been returned. */
  private void start(Set<Integer> added) {
    lanes.addAll(added);
    filter = singleLane || lanes.size() == laneCount ? List.of() : List.copyOf(lanes);
    restart();
  }

  /** More of what is blocked, in turn with the rows of other lanes. */
  private ReadResult scan(long bytes) {
    BacklogScan scan = scans.get(0);
    BacklogScan.Page page = scan.look(bytes);
    Backlog backlog = claims.claim(session, page.backlog());
    scan.accept(page);
    if (scan.finished()) {
      scans.remove(scan);
      start(scan.lanes());
    }
    return ReadResult.blocked(backlog);
  }

  @Override
  public void renewed(Session now) {
    if (now.is(session)) {
      session = now;
    }
  }

  @Override
  public void revoke(Set<Integer> gone) {
    if (lanes.removeAll(gone)) {
      filter = singleLane ? List.of() : List.copyOf(lanes);
    }
    scans.forEach(scan -> scan.lanes().removeAll(gone));
    scans.removeIf(scan -> scan.lanes().isEmpty());
    returned.forgetLanes(gone);
    detector.forgetLanes(gone);
  }

  /** The table is walked from its start again; what has been returned is passed over. */
  private void restart() {
    place = null;
    returned.startWalk();
    rescan.restart();
  }

  @Override
  public ReadResult read(int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, session);
    if (lanes.isEmpty() && scans.isEmpty()) {
      return new ReadResult(List.of(), false);
    }
    history.require(session);
    scannedLast = !scans.isEmpty() && (lanes.isEmpty() || !scannedLast);
    if (scannedLast) {
      return scan(limits.bytes());
    }
    for (int i = 0; i < PAGES_PER_READ; i++) {
      ReadResult result = step(limits);
      List<OutboxRow> rows = result.rows().isEmpty() ? List.of() : claimed(result.rows());
      if (!rows.isEmpty() || !result.more()) {
        return new ReadResult(
            rows, result.more() || !scans.isEmpty(), Backlog.NONE, detector.takeUnordered());
      }
    }
    return new ReadResult(List.of(), true);
  }

  /** Rows that survive a crash and belong to this relay. */
  private List<OutboxRow> claimed(List<OutboxRow> rows) {
    boolean done = false;
    try {
      List<OutboxRow> mine = claims.claim(session, rows);
      if (!claims.makesDurable()) {
        statements.makeDurable(lanes.iterator().next());
      }
      if (mine.size() < rows.size()) {
        Set<Object> kept = new HashSet<>();
        mine.forEach(row -> kept.add(row.rowId()));
        forget(rows.stream().filter(row -> !kept.contains(row.rowId())).toList());
      }
      done = true;
      return mine;
    } finally {
      if (!done) {
        forget(rows);
        restart();
      }
    }
  }

  /** Nobody gets these rows: if they still wait later, they are read again. */
  private void forget(List<OutboxRow> rows) {
    rows.forEach(row -> returned.forget(row.rowId()));
  }

  private ReadResult step(Limits limits) {
    Page page = statements.page(place, filter, limits);
    List<Object> late = late(page);
    if (late.size() > LATE) {
      restart();
      return new ReadResult(List.of(), true);
    }
    Page found = late.isEmpty() ? Page.NONE : statements.byId(late, filter, limits);
    if (found.cut() || found.rows().size() < late.size()) {
      // What is missing comes before the next page.
      rescan.again();
    }
    List<OutboxRow> rows = new ArrayList<>();
    found.rows().forEach(placed -> accept(placed, rows));
    boolean whole = found.rows().size() == late.size() && accept(page, limits, rows);
    return new ReadResult(rows, !whole || page.cut());
  }

  /** Ids of rows before the reader's place that have not been returned, if it is time to look. */
  private List<Object> late(Page page) {
    Place until = place;
    boolean due = rescan.fullDue();
    boolean looks = !page.cut() || unsafe(page.rows());
    if (until == null || !(due || looks)) {
      return List.of();
    }
    // Before rows are returned none may be missed, however long its transaction was open.
    boolean full = due || !page.rows().isEmpty();
    List<Object> late = rescan(full ? null : rescan.shortFrom(), until, page);
    return full || late.isEmpty() ? late : rescan(null, until, page);
  }

  /** Everything that waits from a place on, or from the start, up to where the reader is. */
  private List<Object> rescan(@Nullable Place from, Place until, Page page) {
    long began = rescan.now();
    int limit = returned.size() + LATE + 1;
    Map<Object, Long> waiting = statements.rescan(from, until, filter, limit);
    List<Object> late = new ArrayList<>();
    waiting.forEach(
        (id, created) -> {
          if (!returned.has(id, created)) {
            late.add(id);
          }
        });
    if (from == null && waiting.size() < limit) {
      returned.retain(waiting, until);
    }
    if (!page.rows().isEmpty()) {
      rescan.rescanned(page.rows().get(0).row().readAtMicros());
    }
    if (from == null) {
      rescan.rescannedAll(began, waiting.size());
    }
    return late;
  }

  private boolean unsafe(List<Placed> page) {
    return !page.isEmpty()
        && rescan.unsafe(
            page.stream().mapToLong(placed -> placed.row().createdAtMicros()).max().orElseThrow());
  }

  /** Takes as much of a page as fits behind what was found late; true if all of it did. */
  private boolean accept(Page page, Limits limits, List<OutboxRow> rows) {
    long bytes = rows.stream().mapToLong(OutboxRow::readBytes).sum();
    for (Placed placed : page.rows()) {
      if (!rows.isEmpty() && (rows.size() >= limits.rows() || bytes >= limits.bytes())) {
        return false;
      }
      place = placed.place();
      if (returned.has(placed.row().rowId(), statements.created(placed.row()))) {
        returned(placed);
      } else {
        bytes += placed.row().readBytes();
        accept(placed, rows);
      }
    }
    rescan.moved(place);
    return true;
  }

  private void accept(Placed placed, List<OutboxRow> rows) {
    rows.add(placed.row());
    returned(placed);
    detector.returned(placed);
  }

  private void returned(Placed placed) {
    OutboxRow row = placed.row();
    returned.add(row.rowId(), statements.created(row), row.lane(), placed.place());
  }

  @Override
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, session);
    if (keys.isEmpty()) {
      return new ReadResult(List.of(), false);
    }
    history.require(session);
    ReadResult held = side.held(List.copyOf(keys), limits);
    return new ReadResult(claims.claim(session, held.rows()), held.more());
  }

  @Override
  public List<RowLook> look(List<RowRef> rows, long maxBytes) {
    history.require(session);
    return side.look(rows, Math.max(1, maxBytes));
  }

  @Override
  public List<OperatorRequest> requests(int maxRequests) {
    if (lanes.isEmpty()) {
      return List.of();
    }
    history.require(session);
    List<OperatorRequest> requests =
        requestPages.next(
            maxRequests, after -> side.requests(List.copyOf(lanes), after, maxRequests));
    claims.claimRetried(session, requests);
    return requests;
  }

  @Override
  public Set<String> pausedDestinations() {
    return side.pausedDestinations();
  }

  @Override
  public void close() {
    database.close();
  }
}

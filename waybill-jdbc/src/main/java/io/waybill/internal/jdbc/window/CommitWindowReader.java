package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.BacklogScan;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.RequestPages;
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
import java.util.List;
import java.util.Set;

/** Reads the outbox by commit windows, on one connection. */
public final class CommitWindowReader implements OutboxReader {
  private final Database database;
  private final ReaderStatements statements;
  private final WindowReader windows;
  private final SideTables side;
  private final RequestPages requests = new RequestPages();
  private final History history;
  private final List<LaneGroup> groups = new ArrayList<>();
  private Session session = Session.NONE;
  // Lanes of which not all that is blocked has been returned: nothing else of theirs is.
  private final List<BacklogScan> scans = new ArrayList<>();
  private int turn;
  private boolean scannedLast;

  public CommitWindowReader(Database database, CommitWindowSql dialect, History history) {
    this.database = database;
    this.statements = new ReaderStatements(database, dialect);
    this.windows = new WindowReader(statements);
    this.side = new SideTables(database, dialect, statements);
    this.history = history;
  }

  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, Session.NONE);
    history.name();
    new BacklogScan(side, Session.NONE, Set.of(0)).first();
    side.requests(Literals.numbers(List.of(0)), Long.MAX_VALUE, maxRows, statements.nowMicros());
    side.pausedDestinations();
    new WindowReader(statements).warmUp(limits);
    return statements.youngest(limits);
  }

  @Override
  public Backlog assign(Session session, Set<Integer> lanes) {
    if (lanes.isEmpty()) {
      return Backlog.NONE;
    }
    if (!session.is(this.session)) {
      // What was known may be of another history.
      groups.clear();
      scans.clear();
      windows.forget();
    }
    this.session = session;
    requireHistory();
    // What failed is dated by this.
    statements.position();
    BacklogScan scan = new BacklogScan(side, session, lanes);
    Backlog backlog = scan.first();
    revoke(lanes);
    if (scan.finished()) {
      groups.add(new LaneGroup(lanes));
    } else {
      scans.add(scan);
    }
    return backlog;
  }

  /** More of what is blocked, in turn with the rows of other lanes. */
  private ReadResult scan(long bytes) {
    BacklogScan scan = scans.get(0);
    BacklogScan.Page page = scan.look(bytes);
    scan.accept(page);
    if (scan.finished()) {
      scans.remove(scan);
      groups.add(new LaneGroup(scan.lanes()));
    }
    return ReadResult.blocked(page.backlog());
  }

  @Override
  public void renewed(Session now) {
    if (now.is(session)) {
      session = now;
    }
  }

  @Override
  public void revoke(Set<Integer> lanes) {
    groups.forEach(group -> group.remove(lanes));
    groups.removeIf(group -> group.lanes().isEmpty());
    scans.forEach(scan -> scan.lanes().removeAll(lanes));
    scans.removeIf(scan -> scan.lanes().isEmpty());
  }

  @Override
  public ReadResult read(int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, session);
    if (groups.isEmpty() && scans.isEmpty()) {
      return new ReadResult(List.of(), false);
    }
    requireHistory();
    scannedLast = !scans.isEmpty() && (groups.isEmpty() || !scannedLast);
    if (scannedLast) {
      return scan(limits.bytes());
    }
    List<OutboxRow> rows = meet(limits);
    for (int i = groups.size(); i > 0 && rows.isEmpty(); i--) {
      turn = (turn + 1) % groups.size();
      rows = windows.step(groups.get(turn), limits);
    }
    if (windows.renumbered()) {
      groups.forEach(LaneGroup::forget);
      windows.forget();
    }
    return new ReadResult(rows, !scans.isEmpty() || groups.stream().anyMatch(LaneGroup::scanning));
  }

  /** Lets groups that have nothing to scan reach the same position, and joins them. */
  private List<OutboxRow> meet(Limits limits) {
    List<LaneGroup> settled = groups.stream().filter(LaneGroup::settled).toList();
    for (int i = 1; i < settled.size(); i++) {
      List<OutboxRow> rows = meet(settled.get(0), settled.get(i), limits);
      if (!rows.isEmpty()) {
        return rows;
      }
    }
    return List.of();
  }

  private List<OutboxRow> meet(LaneGroup main, LaneGroup other, Limits limits) {
    if (main.position().number() != other.position().number()) {
      boolean behind = main.position().number() < other.position().number();
      LaneGroup older = behind ? main : other;
      LaneGroup newer = behind ? other : main;
      List<OutboxRow> rows = windows.follow(older, newer.position(), limits);
      if (!rows.isEmpty() || older.scanning()) {
        return rows;
      }
    }
    if (main.horizonMicros() != other.horizonMicros()) {
      long horizon = Math.max(main.horizonMicros(), other.horizonMicros());
      LaneGroup earlier = main.horizonMicros() < horizon ? main : other;
      List<OutboxRow> rows = windows.followDue(earlier, horizon, limits);
      if (!rows.isEmpty() || earlier.scanning()) {
        return rows;
      }
    }
    main.absorb(other);
    groups.remove(other);
    return List.of();
  }

  /** After a lost connection: is it still the server's history that the snapshots are from? */
  private void requireHistory() {
    if (history.require(session)) {
      windows.reconnected();
      groups.forEach(LaneGroup::reconnected);
    }
  }

  @Override
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    Limits limits = Limits.of(maxRows, maxBytes, session);
    if (keys.isEmpty()) {
      return new ReadResult(List.of(), false);
    }
    requireHistory();
    return side.held(keys, limits, statements.nowMicros());
  }

  @Override
  public List<RowLook> look(List<RowRef> rows, long maxBytes) {
    requireHistory();
    return side.look(rows, Math.max(1, maxBytes), statements.nowMicros());
  }

  @Override
  public List<OperatorRequest> requests(int maxRequests) {
    List<Integer> lanes = groups.stream().flatMap(group -> group.lanes().stream()).toList();
    if (lanes.isEmpty()) {
      return List.of();
    }
    requireHistory();
    return requests.next(
        maxRequests,
        after ->
            side.requests(Literals.numbers(lanes), after, maxRequests, statements.nowMicros()));
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

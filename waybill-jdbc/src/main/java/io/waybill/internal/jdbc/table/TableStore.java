package io.waybill.internal.jdbc.table;

import static io.waybill.internal.jdbc.table.ByRows.ids;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.FailureGroups;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Refusals;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.ByRows.Values;
import io.waybill.internal.work.Ticker;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.RecordTable.Status;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settles rows of a table of any layout, each settlement in one transaction, or a few if it has
 * many rows.
 */
public final class TableStore implements OutboxStore {
  /** Most characters of what is written into an error column. */
  public static final int MAX_ERROR_CHARS = 2_000;

  private final Database database;
  private final SqlDialect dialect;
  private final TableWrites writes;
  private final Layout layout;
  private final Progress progress;
  private final ByRows rows;
  private final NoteWrites notes;
  private final @Nullable RecordSql record;
  private final History history;
  private final SettlementPace pace = new SettlementPace();

  public TableStore(
      Database database,
      Layout layout,
      SqlDialect dialect,
      TableWrites writes,
      @Nullable RecordSql record,
      History history) {
    this.record = record;
    this.history = history;
    this.database = database;
    this.dialect = dialect;
    this.writes = writes;
    this.layout = layout;
    this.progress = layout.progress();
    this.rows = new ByRows(layout, dialect);
    this.notes = new NoteWrites(layout, dialect, writes);
  }

  @Override
  public void warmUp(List<OutboxRow> rows) {
    history.name();
    settlePart(Session.NONE, Settlement.published(rows));
  }

  @Override
  public Settled settle(Session session, Settlement settlement) {
    // Elsewhere ids may be given out again: what was confirmed are other rows than those there.
    history.require(session);
    Settlement all = notes.any() ? settlement : settlement.withoutNotes();
    if (all.size() == 0 && settlement.size() > 0) {
      // The table has no columns for it.
      return new Settled(false, 0);
    }
    int won = 0;
    SettlementParts parts = new SettlementParts(all);
    while (parts.any()) {
      Settled settled = settlePart(session, parts.next(pace.rows()));
      if (settled.fenced()) {
        return settled;
      }
      won += settled.won();
    }
    return new Settled(false, won);
  }

  private Settled settlePart(Session session, Settlement part) {
    try {
      return database.transaction(
          "settle rows",
          statements ->
              alive(statements, session)
                  ? new Settled(false, timed(statements, part))
                  : new Settled(true, 0));
    } catch (StoreException e) {
      throw Refusals.of(e, dialect);
    }
  }

  private boolean alive(Statements statements, Session session) throws SQLException {
    PreparedStatement statement = statements.prepare(writes.holdFence());
    statement.setLong(1, session.fence());
    try (ResultSet result = statement.executeQuery()) {
      return result.next();
    }
  }

  private int timed(Statements statements, Settlement part) throws SQLException {
    long begin = Ticker.SYSTEM.nanos();
    int won = changes(statements, part);
    pace.took(part.failed().size() + part.held().size(), Ticker.SYSTEM.nanos() - begin);
    return won;
  }

  private int changes(Statements statements, Settlement settlement) throws SQLException {
    List<OutboxRow> failed = rows(settlement.failed());
    List<OutboxRow> refused = rows(settlement.setAside());
    List<Object> blocked = ids(settlement.held());
    List<OutboxRow> done =
        Stream.concat(settlement.published().stream(), settlement.recovered().stream()).toList();
    List<Object> published = ids(done);
    if (record != null) {
      record(statements, record, published, settlement);
    }
    int won = publish(statements, done);
    rows.run(statements, writes::forgetContext, published);
    List<RowRef> unrecorded =
        Stream.concat(
                settlement.recovered().stream().map(OutboxRow::ref),
                settlement.forgotten().stream())
            .toList();
    List<Object> forgotten = unrecorded.stream().map(RowRef::rowId).sorted().toList();
    long known = unrecorded.stream().mapToLong(RowRef::createdAtMicros).max().orElse(0);
    rows.run(statements, writes::forget, forgotten, known);
    rows.run(statements, writes::release, forgotten, known);
    rows.run(statements, writes::release, ids(failed), rows.latest(failed));
    rows.run(statements, writes::release, ids(refused), rows.latest(refused));
    won += fail(statements, settlement.failed());
    won += note(statements, settlement.setAside());
    rows.run(statements, writes::forget, blocked, rows.latest(settlement.held()));
    showPending(statements, settlement.held());
    won += hold(statements, settlement.held());
    notes.write(statements, settlement.noted());
    return won + answer(statements, settlement.handled());
  }

  /** First, since the row of a published event may be removed. */
  private void record(
      Statements statements, RecordSql sql, List<Object> published, Settlement settlement)
      throws SQLException {
    List<Object> dead = new ArrayList<>();
    List<Object> open = new ArrayList<>(ids(settlement.held()));
    settlement.failed().forEach(failed -> (dead(failed) ? dead : open).add(failed.row().rowId()));
    dead.sort(null);
    open.sort(null);
    rows.run(statements, ids -> sql.write(Status.SUCCESS, ids), published);
    rows.run(statements, ids -> sql.write(Status.FAILED, ids), dead);
    rows.run(statements, ids -> sql.write(Status.PROCESSING, ids), open);
  }

  /** Rows that were sent in vain before are few: they alone have numbers of their own. */
  private int publish(Statements statements, List<OutboxRow> done) throws SQLException {
    int published = 0;
    for (List<OutboxRow> alike : bySends(done)) {
      published += rows.run(statements, writes::publish, ids(alike), sends(alike), latest(alike));
    }
    return published;
  }

  private void showPending(Statements statements, List<OutboxRow> held) throws SQLException {
    for (List<OutboxRow> alike : bySends(held)) {
      boolean counted = writes.countsSends() && alike.get(0).sends() > 0;
      rows.run(
          statements,
          ids -> writes.showPending(ids, counted),
          ids(alike),
          counted ? sends(alike) : Values.NONE,
          latest(alike));
    }
  }

  private Collection<List<OutboxRow>> bySends(List<OutboxRow> all) {
    return all.stream()
        .collect(groupingBy(row -> writes.countsSends() ? row.sends() : 0, TreeMap::new, toList()))
        .values();
  }

  private Values sends(List<OutboxRow> alike) {
    int sends = alike.get(0).sends();
    return writes.countsSends() ? binding -> binding.number(sends) : Values.NONE;
  }

  private Values latest(List<OutboxRow> these) {
    long latest = rows.latest(these);
    return binding -> binding.number(latest);
  }

  private int fail(Statements statements, List<FailedRow> failed) throws SQLException {
    if (failed.isEmpty()) {
      return 0;
    }
    if (writes.showsFailures()) {
      show(statements, failed.stream().filter(TableStore::dead).toList(), true);
      show(statements, failed.stream().filter(row -> !dead(row)).toList(), false);
    }
    return note(statements, failed);
  }

  private static List<OutboxRow> rows(List<FailedRow> failed) {
    return failed.stream().map(FailedRow::row).toList();
  }

  /** Beside the outbox alone. */
  private int note(Statements statements, List<FailedRow> failed) throws SQLException {
    if (failed.isEmpty()) {
      return 0;
    }
    PreparedStatement statement = statements.prepare(writes.fail());
    for (FailedRow row : failed) {
      Binding binding = new Binding(statement, dialect);
      EventKey key = row.row().key();
      id(binding, row.row());
      binding.number(row.row().lane());
      binding.text(key == null ? null : key.aggregateType());
      binding.text(key == null ? null : key.aggregateId());
      binding.text(row.state().name());
      binding.number(row.attempts());
      binding.flag(row.unknownOutcome());
      binding.optional(delay(row));
      binding.text(row.reason());
      binding.text(row.detail());
      binding.text(row.destination());
      binding.text(FailureGroups.of(row));
      id(binding, row.row());
      statement.addBatch();
    }
    return changed(statement.executeBatch());
  }

  private void show(Statements statements, List<FailedRow> failed, boolean dead)
      throws SQLException {
    if (failed.isEmpty()) {
      return;
    }
    PreparedStatement statement = statements.prepare(writes.showFailure(dead));
    for (FailedRow row : failed) {
      Binding binding = new Binding(statement, dialect);
      if (progress.attempts() != null) {
        binding.number(row.row().sends());
      }
      if (progress.nextAttemptAt() != null) {
        binding.optional(delay(row));
      }
      if (progress.error() != null) {
        binding.text(ErrorColumn.of(row));
      }
      id(binding, row.row());
      statement.addBatch();
    }
    statement.executeBatch();
  }

  private static boolean dead(FailedRow row) {
    return row.state() == RowState.DEAD;
  }

  private static @Nullable Long delay(FailedRow row) {
    return row.state() == RowState.RETRY ? row.delayMillis() * 1000 : null;
  }

  private int hold(Statements statements, List<OutboxRow> held) throws SQLException {
    if (held.isEmpty()) {
      return 0;
    }
    PreparedStatement statement = statements.prepare(writes.hold());
    for (OutboxRow row : held) {
      Binding binding = new Binding(statement, dialect);
      EventKey name = HeldKey.nameOf(row);
      id(binding, row);
      binding.number(row.lane());
      binding.text(name.aggregateType());
      binding.text(name.aggregateId());
      id(binding, row);
      statement.addBatch();
    }
    return changed(statement.executeBatch());
  }

  /** Together they tell the row from a later one with its number. */
  private void id(Binding binding, OutboxRow row) throws SQLException {
    binding.id(row.rowId());
    binding.number(RowCreated.of(row, layout));
  }

  private int answer(Statements statements, List<HandledRequest> handled) throws SQLException {
    int answered = 0;
    for (HandledRequest request : handled) {
      PreparedStatement answer = statements.prepare(writes.answer());
      Binding binding = new Binding(answer, dialect);
      binding.flag(request.done());
      binding.text(request.note());
      binding.number(request.requestId());
      answered += answer.executeUpdate();
      PreparedStatement remove = statements.prepare(writes.remove());
      remove.setLong(1, request.requestId());
      remove.executeUpdate();
    }
    return answered;
  }

  /** Rows, not what the databases count: an insert that updated counts two in some. */
  private static int changed(int[] counts) {
    int changed = 0;
    for (int count : counts) {
      changed += count == 0 ? 0 : 1;
    }
    return changed;
  }

  @Override
  public void close() {
    database.close();
  }
}

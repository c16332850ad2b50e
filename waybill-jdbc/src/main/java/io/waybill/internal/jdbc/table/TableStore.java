package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Refusals;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.RecordTable.Status;
import io.waybill.layout.RowIdKind;
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
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settles rows of a table of any layout, each settlement in one transaction. */
public final class TableStore implements OutboxStore {
  /** Most characters of what is written into an error column. */
  public static final int MAX_ERROR_CHARS = 2_000;

  private static final int CHUNK = 1000;

  private final Database database;
  private final SqlDialect dialect;
  private final TableWrites writes;
  private final Layout layout;
  private final Progress progress;
  private final RowIdKind kind;
  private final @Nullable RecordSql record;
  private final History history;

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
    this.kind = layout.identity().kind();
  }

  @Override
  public Settled settle(Session session, Settlement settlement) {
    // Elsewhere ids may be given out again: what was confirmed are other rows than those there.
    history.require(session);
    try {
      return database.transaction(
          "settle rows",
          statements ->
              alive(statements, session)
                  ? new Settled(false, changes(statements, settlement))
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
    int won = run(statements, writes::publish, published, latest(done));
    run(statements, writes::forgetContext, published);
    List<RowRef> unrecorded =
        Stream.concat(
                settlement.recovered().stream().map(OutboxRow::ref),
                settlement.forgotten().stream())
            .toList();
    List<Object> forgotten = unrecorded.stream().map(RowRef::rowId).sorted().toList();
    long known = unrecorded.stream().mapToLong(RowRef::createdAtMicros).max().orElse(0);
    run(statements, writes::forget, forgotten, known);
    run(statements, writes::release, forgotten, known);
    run(statements, writes::release, ids(failed), latest(failed));
    run(statements, writes::release, ids(refused), latest(refused));
    won += fail(statements, settlement.failed());
    won += note(statements, settlement.setAside());
    run(statements, writes::forget, blocked, latest(settlement.held()));
    run(statements, writes::showPending, blocked, latest(settlement.held()));
    won += hold(statements, settlement.held());
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
    run(statements, ids -> sql.write(Status.SUCCESS, ids), published);
    run(statements, ids -> sql.write(Status.FAILED, ids), dead);
    run(statements, ids -> sql.write(Status.PROCESSING, ids), open);
  }

  /** Sorted, so that two transactions never wait for each other in a circle. */
  private static List<Object> ids(List<OutboxRow> rows) {
    return rows.stream().map(OutboxRow::rowId).sorted().toList();
  }

  /** What was created later has only taken over a number of one of these. */
  private long latest(List<OutboxRow> rows) {
    return rows.stream().mapToLong(row -> RowCreated.of(row, layout)).max().orElse(0);
  }

  private int run(Statements statements, IntFunction<@Nullable String> sql, List<Object> ids)
      throws SQLException {
    return run(statements, sql, ids, null);
  }

  private int run(
      Statements statements,
      IntFunction<@Nullable String> sql,
      List<Object> ids,
      @Nullable Long latest)
      throws SQLException {
    int changed = 0;
    for (int from = 0; from < ids.size(); from += CHUNK) {
      List<Object> chunk = ids.subList(from, Math.min(ids.size(), from + CHUNK));
      String text = sql.apply(chunk.size());
      if (text == null) {
        return 0;
      }
      PreparedStatement statement = statements.prepare(text);
      int next = dialect.bindOneOf(statement, 1, kind, chunk);
      if (latest != null) {
        statement.setLong(next, latest);
      }
      changed += statement.executeUpdate();
    }
    return changed;
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
        binding.number(row.attempts());
        binding.number(row.attempts());
        binding.id(row.row().rowId());
      }
      if (progress.nextAttemptAt() != null) {
        binding.optional(delay(row));
      }
      if (progress.error() != null) {
        binding.text(shown(row));
      }
      id(binding, row.row());
      statement.addBatch();
    }
    statement.executeBatch();
  }

  /**
   * An application's column is shorter than ours, and a failure that does not fit stops the table.
   */
  private static String shown(FailedRow row) {
    String text = row.reason() + ": " + row.detail();
    if (text.length() <= MAX_ERROR_CHARS) {
      return text;
    }
    boolean pair = Character.isHighSurrogate(text.charAt(MAX_ERROR_CHARS - 1));
    return text.substring(0, pair ? MAX_ERROR_CHARS - 1 : MAX_ERROR_CHARS);
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

package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RecordTable.Status;
import io.waybill.layout.RowIdKind;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes PROCESSING for rows before the relay gets them, and reads what stands in the way instead
 * of guessing. Ownership of the row's lane is the lease; the record never is. Used by one thread.
 *
 * <ul>
 *   <li>SUCCESS: the broker has the event; its row is marked and not sent.
 *   <li>Anything of a row whose lane another session owns: left alone.
 *   <li>PROCESSING of an earlier owner or of nobody, FAILED: taken over.
 * </ul>
 */
public final class RecordClaims implements RowClaims {
  private static final Logger LOG = LoggerFactory.getLogger(RecordClaims.class);

  private final Database database;
  private final SqlDialect dialect;
  private final RecordSql sql;
  private final TableWrites writes;
  private final RowIdKind kind;

  /** What was found: rows to send, and ids of rows that were confirmed before. */
  private record Claimed(List<OutboxRow> rows, List<Object> confirmed) {}

  public RecordClaims(
      Database database, SqlDialect dialect, RecordSql sql, TableWrites writes, RowIdKind kind) {
    this.database = database;
    this.dialect = dialect;
    this.sql = sql;
    this.writes = writes;
    this.kind = kind;
  }

  @Override
  public List<OutboxRow> claim(Session session, List<OutboxRow> rows) {
    if (rows.isEmpty()) {
      return rows;
    }
    Claimed claimed =
        database.transaction("claim rows", statements -> claim(statements, session, rows));
    if (!claimed.confirmed().isEmpty()) {
      LOG.info(
          "The record says that {} events have been published: their rows are marked, and they are"
              + " not sent again",
          claimed.confirmed().size());
    }
    return claimed.rows();
  }

  @Override
  public boolean makesDurable() {
    return true;
  }

  private Claimed claim(Statements statements, Session session, List<OutboxRow> rows)
      throws SQLException {
    if (!alive(statements, session)) {
      return new Claimed(List.of(), List.of());
    }
    Set<Integer> others = othersLanes(statements, session);
    List<OutboxRow> mine = rows.stream().filter(row -> !others.contains(row.lane())).toList();
    Set<String> events = confirmed(statements, mine);
    List<OutboxRow> done = mine.stream().filter(row -> events.contains(row.eventId())).toList();
    change(statements, writes::markConfirmed, done);
    change(statements, writes::forget, done);
    change(statements, writes::release, done);
    List<OutboxRow> open = mine.stream().filter(row -> !events.contains(row.eventId())).toList();
    run(statements, ids -> sql.write(Status.PROCESSING, ids), ids(open));
    return new Claimed(open, ids(done));
  }

  private boolean alive(Statements statements, Session session) throws SQLException {
    PreparedStatement statement = statements.prepare(writes.holdFence());
    statement.setLong(1, session.fence());
    try (ResultSet result = statement.executeQuery()) {
      return result.next();
    }
  }

  /**
   * Lanes of this session do not become theirs before the transaction ends: it holds the session.
   */
  private Set<Integer> othersLanes(Statements statements, Session session) throws SQLException {
    PreparedStatement statement = statements.prepare(sql.othersLanes());
    statement.setLong(1, session.fence());
    Set<Integer> lanes = new HashSet<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        lanes.add(result.getInt(1));
      }
    }
    return lanes;
  }

  private Set<String> confirmed(Statements statements, Collection<OutboxRow> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return Set.of();
    }
    List<String> events = rows.stream().map(OutboxRow::eventId).sorted().toList();
    PreparedStatement statement = statements.prepare(sql.confirmed(events.size()));
    dialect.bindOneOf(statement, 1, RowIdKind.STRING, events);
    Set<String> confirmed = new HashSet<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        confirmed.add(result.getString(1));
      }
    }
    return confirmed;
  }

  private void run(Statements statements, IntFunction<String> text, List<Object> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    PreparedStatement statement = statements.prepare(text.apply(ids.size()));
    dialect.bindOneOf(statement, 1, kind, ids);
    statement.executeUpdate();
  }

  private void change(Statements statements, IntFunction<String> text, List<OutboxRow> rows)
      throws SQLException {
    if (!rows.isEmpty()) {
      PreparedStatement statement = statements.prepare(text.apply(rows.size()));
      int next = dialect.bindOneOf(statement, 1, kind, ids(rows));
      statement.setLong(
          next, rows.stream().mapToLong(OutboxRow::createdAtMicros).max().orElseThrow());
      statement.executeUpdate();
    }
  }

  /** Sorted, so that two transactions never wait for each other in a circle. */
  private static List<Object> ids(List<OutboxRow> rows) {
    List<Object> ids = new ArrayList<>(rows.stream().map(OutboxRow::rowId).toList());
    ids.sort(null);
    return ids;
  }
}

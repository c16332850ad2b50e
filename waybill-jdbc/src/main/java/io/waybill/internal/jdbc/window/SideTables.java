package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.BacklogScan;
import io.waybill.internal.jdbc.kernel.BacklogScan.Stretch;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.RequestPages;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the reader finds in the tables beside the outbox. Used by one thread. */
final class SideTables implements BacklogScan.Source {

  private final Database database;
  private final PostgresSideReads sql;
  private final ReaderStatements statements;
  private final RowDecoder decoder;

  SideTables(Database database, CommitWindowSql dialect, ReaderStatements statements) {
    this.database = database;
    this.sql = new PostgresSideReads(dialect);
    this.statements = statements;
    this.decoder = statements.decoder();
  }

  @Override
  public @Nullable Object failedUntil(@Nullable Object after) {
    return until("find a stretch of failed rows", sql.failedUntil(), after);
  }

  @Override
  public @Nullable Object heldUntil(@Nullable Object after) {
    return until("find a stretch of held rows", sql.heldUntil(), after);
  }

  private @Nullable Object until(String what, String query, @Nullable Object after) {
    Optional<Object> until =
        database.call(
            what,
            query,
            statement -> {
              statement.setLong(1, after(after));
              statement.setInt(2, BacklogScan.STRETCH - 1);
              try (ResultSet result = statement.executeQuery()) {
                return Optional.ofNullable(result.next() ? result.getObject(1, Long.class) : null);
              }
            });
    return until.orElse(null);
  }

  private static long after(@Nullable Object id) {
    return id == null ? Long.MIN_VALUE : (Long) id;
  }

  private static long until(Stretch stretch) {
    Object until = stretch.until();
    return until == null ? Long.MAX_VALUE : (Long) until;
  }

  @Override
  public List<FailedRow> failed(Set<Integer> lanes, Stretch stretch, Limits limits) {
    return database.call(
        "read failed rows",
        sql.failedRows(),
        statement -> {
          statement.setString(1, Literals.numbers(lanes));
          statement.setLong(2, after(stretch.after()));
          statement.setLong(3, until(stretch));
          statement.setLong(4, limits.bytes());
          statement.setLong(5, limits.fence());
          List<FailedRow> failed = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              failed.add(failedRow(result, statements.nowMicros()));
            }
          }
          return failed;
        });
  }

  private FailedRow failedRow(ResultSet result, long nowMicros) throws SQLException {
    int column = RowDecoder.END;
    OutboxRow row = decoder.decode(result, nowMicros, false);
    return new FailedRow(
        row,
        RowState.valueOf(result.getString(column)),
        result.getInt(column + 1),
        result.getBoolean(column + 2),
        result.getLong(column + 3),
        result.getString(column + 4),
        result.getString(column + 5));
  }

  @Override
  public List<HeldKey> held(Set<Integer> lanes, Stretch stretch) {
    return database.call(
        "count held rows",
        sql.heldCounts(),
        statement -> {
          statement.setString(1, Literals.numbers(lanes));
          statement.setLong(2, after(stretch.after()));
          statement.setLong(3, until(stretch));
          List<HeldKey> keys = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              EventKey key = new EventKey(result.getString(1), result.getString(2));
              keys.add(new HeldKey(key, result.getInt(3), result.getLong(4)));
            }
          }
          return keys;
        });
  }

  @Override
  public List<RowRef> orphanedFailures(Set<Integer> lanes, Stretch stretch) {
    return orphaned("find failures without rows", sql.orphanedFailures(), lanes, stretch);
  }

  @Override
  public List<RowRef> orphanedHeld(Set<Integer> lanes, Stretch stretch) {
    return orphaned("find held rows that are gone", sql.orphanedHeld(), lanes, stretch);
  }

  private List<RowRef> orphaned(String what, String query, Set<Integer> lanes, Stretch stretch) {
    return database.call(
        what,
        query,
        statement -> {
          statement.setString(1, Literals.numbers(lanes));
          statement.setLong(2, after(stretch.after()));
          statement.setLong(3, until(stretch));
          List<RowRef> rows = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              rows.add(new RowRef(result.getLong(1), result.getLong(2)));
            }
          }
          return rows;
        });
  }

  ReadResult held(Collection<EventKey> keys, Limits limits, long nowMicros) {
    String[] types = keys.stream().map(EventKey::aggregateType).toArray(String[]::new);
    String[] ids = keys.stream().map(EventKey::aggregateId).toArray(String[]::new);
    return database.call(
        "read held rows",
        sql.heldRows(),
        statement -> {
          statement.setArray(1, statement.getConnection().createArrayOf("text", types));
          statement.setArray(2, statement.getConnection().createArrayOf("text", ids));
          statement.setInt(3, limits.rows());
          statement.setInt(4, limits.rows());
          statement.setLong(5, limits.bytes());
          statement.setLong(6, limits.fence());
          List<OutboxRow> rows = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              rows.add(decoder.decode(result, nowMicros, false));
            }
          }
          return new ReadResult(rows, rows.size() == limits.rows() || cut(rows, limits));
        });
  }

  private static boolean cut(List<OutboxRow> rows, Limits limits) {
    return rows.stream().mapToLong(OutboxRow::readBytes).sum() >= limits.bytes();
  }

  List<RowLook> look(List<RowRef> rows, long maxBytes, long nowMicros) {
    return database.call(
        "read rows again",
        sql.look(),
        statement -> {
          statement.setString(1, Literals.numbers(rows, row -> (Long) row.rowId()));
          statement.setString(2, Literals.numbers(rows, RowRef::createdAtMicros));
          statement.setLong(3, maxBytes);
          List<RowLook> looks = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              looks.add(rowLook(result, nowMicros));
            }
          }
          return looks;
        });
  }

  private RowLook rowLook(ResultSet result, long nowMicros) throws SQLException {
    int column = RowDecoder.END;
    boolean gone = result.getObject(RowDecoder.ID) == null;
    return new RowLook(
        new RowRef(result.getLong(column), result.getLong(column + 1)),
        gone ? null : decoder.decode(result, nowMicros, false),
        OperatorRequest.EventState.valueOf(result.getString(column + 2)));
  }

  List<OperatorRequest> requests(String lanes, long after, int maxRequests, long nowMicros) {
    return database.call(
        "read requests of operators",
        sql.requests(),
        statement -> {
          statement.setString(1, lanes);
          statement.setLong(2, after);
          statement.setInt(3, maxRequests);
          statement.setLong(4, RequestPages.BYTES);
          List<OperatorRequest> requests = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              requests.add(request(result, nowMicros));
            }
          }
          return requests;
        });
  }

  private OperatorRequest request(ResultSet result, long nowMicros) throws SQLException {
    int column = RowDecoder.END;
    OperatorRequest.Verb verb = OperatorRequest.Verb.valueOf(result.getString(column + 1));
    boolean gone = result.getObject(RowDecoder.ID) == null;
    return new OperatorRequest(
        result.getLong(column),
        verb,
        result.getLong(column + 2),
        gone ? null : decoder.decode(result, nowMicros, verb == OperatorRequest.Verb.REPLAY),
        OperatorRequest.EventState.valueOf(result.getString(column + 4)),
        result.getString(column + 3));
  }

  Set<String> pausedDestinations() {
    return database.call(
        "read paused destinations",
        sql.pausedDestinations(),
        statement -> {
          Set<String> names = new HashSet<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              names.add(result.getString(1));
            }
          }
          return names;
        });
  }
}

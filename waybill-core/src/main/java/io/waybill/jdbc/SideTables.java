package io.waybill.jdbc;

import io.waybill.jdbc.ReaderStatements.Limits;
import io.waybill.jdbc.dialect.PostgresDialect;
import io.waybill.jdbc.dialect.PostgresSideReads;
import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
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
import java.util.Set;

/** What the reader finds in the tables beside the outbox. Used by one thread. */
final class SideTables {

  private final Database database;
  private final PostgresSideReads sql;
  private final RowDecoder decoder;

  SideTables(Database database, PostgresDialect dialect, RowDecoder decoder) {
    this.database = database;
    this.sql = new PostgresSideReads(dialect);
    this.decoder = decoder;
  }

  Backlog backlog(String lanes, long nowMicros) {
    return new Backlog(failed(lanes, nowMicros), heldKeys(lanes));
  }

  private List<FailedRow> failed(String lanes, long nowMicros) {
    return database.call(
        "read failed rows",
        sql.failedRows(),
        statement -> {
          statement.setString(1, lanes);
          List<FailedRow> failed = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              failed.add(failedRow(result, nowMicros));
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

  private List<HeldKey> heldKeys(String lanes) {
    return database.call(
        "count held rows",
        sql.heldCounts(),
        statement -> {
          statement.setString(1, lanes);
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
        "look at rows again",
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
        OperatorRequest.Standing.valueOf(result.getString(column + 2)));
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
        OperatorRequest.Standing.valueOf(result.getString(column + 4)),
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

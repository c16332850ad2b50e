package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.BacklogScan;
import io.waybill.internal.jdbc.kernel.BacklogScan.Stretch;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.Places;
import io.waybill.internal.jdbc.kernel.RequestPages;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RowIdKind;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the reader finds in the tables beside an outbox of any layout. Used by one thread. */
public final class TableSide implements BacklogScan.Source {
  // No key is empty: held rows without one have their row id there.
  private static final EventKey NOBODY = new EventKey("", "");

  private final Database database;
  private final SqlDialect dialect;
  private final TableSideReads reads;
  private final TableDecoder decoder;
  private final RowIdKind kind;

  public TableSide(
      Database database,
      SqlDialect dialect,
      TableSideReads reads,
      TableDecoder decoder,
      RowIdKind kind) {
    this.database = database;
    this.dialect = dialect;
    this.reads = reads;
    this.decoder = decoder;
    this.kind = kind;
  }

  @Override
  public @Nullable Object failedUntil(@Nullable Object after) {
    return until("find a stretch of failed rows", reads.failedUntil(after != null), after);
  }

  @Override
  public @Nullable Object heldUntil(@Nullable Object after) {
    return until("find a stretch of held rows", reads.heldUntil(after != null), after);
  }

  private @Nullable Object until(String what, String query, @Nullable Object after) {
    Optional<Object> until =
        database.call(
            what,
            query,
            statement -> {
              Binding binding = new Binding(statement, dialect);
              bind(binding, after);
              binding.number(BacklogScan.STRETCH - 1);
              try (ResultSet result = statement.executeQuery()) {
                return Optional.ofNullable(result.next() ? dialect.readId(result, 1, kind) : null);
              }
            });
    return until.orElse(null);
  }

  private static void bind(Binding binding, @Nullable Object id) throws SQLException {
    if (id != null) {
      binding.id(id);
    }
  }

  @Override
  public List<FailedRow> failed(Set<Integer> lanes, Stretch stretch, Limits limits) {
    return database.call(
        "read failed rows",
        reads.failedRows(lanes.size(), stretch.after() != null, stretch.until() != null),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.lanes(lanes);
          bind(binding, stretch.after());
          bind(binding, stretch.until());
          binding.number(limits.fence());
          binding.limits(limits);
          List<FailedRow> failed = new ArrayList<>();
          long bytes = 0;
          try (ResultSet result = statement.executeQuery()) {
            while (bytes < limits.bytes() && result.next()) {
              FailedRow row = failedRow(result);
              failed.add(row);
              bytes += row.state() == RowState.RETRY ? row.row().readBytes() : 0;
            }
          }
          return failed;
        });
  }

  private FailedRow failedRow(ResultSet result) throws SQLException {
    long delayMicros = Math.max(0, result.getLong("delay_micros"));
    return new FailedRow(
        decoder.decode(result, false),
        RowState.valueOf(result.getString("state")),
        result.getInt("attempts"),
        result.getBoolean("unknown_outcome"),
        (delayMicros + 999) / 1000,
        result.getString("last_reason"),
        result.getString("last_detail"));
  }

  @Override
  public List<HeldKey> held(Set<Integer> lanes, Stretch stretch) {
    return database.call(
        "count held rows",
        reads.heldCounts(lanes.size(), stretch.after() != null, stretch.until() != null),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.lanes(lanes);
          bind(binding, stretch.after());
          bind(binding, stretch.until());
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
    String query =
        reads.orphanedFailures(lanes.size(), stretch.after() != null, stretch.until() != null);
    return orphaned("find failures without rows", query, lanes, stretch);
  }

  @Override
  public List<RowRef> orphanedHeld(Set<Integer> lanes, Stretch stretch) {
    String query =
        reads.orphanedHeld(lanes.size(), stretch.after() != null, stretch.until() != null);
    return orphaned("find held rows that are gone", query, lanes, stretch);
  }

  private List<RowRef> orphaned(String what, String query, Set<Integer> lanes, Stretch stretch) {
    return database.call(
        what,
        query,
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.lanes(lanes);
          bind(binding, stretch.after());
          bind(binding, stretch.until());
          List<RowRef> rows = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              Object id = Objects.requireNonNull(dialect.readId(result, 1, kind), "row id");
              rows.add(new RowRef(id, result.getLong(2)));
            }
          }
          return rows;
        });
  }

  ReadResult held(List<EventKey> keys, Limits limits) {
    int places = Places.padded(keys.size());
    return database.call(
        "read held rows",
        reads.heldRows(places),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          for (int i = 0; i < places; i++) {
            EventKey key = i < keys.size() ? keys.get(i) : NOBODY;
            binding.text(key.aggregateType());
            binding.text(key.aggregateId());
          }
          binding.number(limits.fence());
          binding.limits(limits);
          List<OutboxRow> rows = new ArrayList<>();
          long bytes = 0;
          try (ResultSet result = statement.executeQuery()) {
            while (bytes < limits.bytes() && result.next()) {
              OutboxRow row = decoder.decode(result, false);
              rows.add(row);
              bytes += row.readBytes();
            }
          }
          return new ReadResult(rows, rows.size() == limits.rows() || bytes >= limits.bytes());
        });
  }

  List<RowLook> look(List<RowRef> rows, long maxBytes) {
    List<Object> ids = rows.stream().map(RowRef::rowId).toList();
    Map<RowRef, RowLook> found = new HashMap<>();
    boolean cut =
        database.call(
            "read rows again",
            reads.look(ids.size()),
            statement -> {
              Binding binding = new Binding(statement, dialect);
              binding.oneOf(kind, ids);
              binding.limits(new Limits(ids.size(), maxBytes, Session.NONE));
              long bytes = 0;
              try (ResultSet result = statement.executeQuery()) {
                while (bytes < maxBytes && result.next()) {
                  RowLook look = rowLook(result);
                  found.put(look.ref(), look);
                  OutboxRow row = look.row();
                  bytes += row == null ? 0 : row.readBytes();
                }
              }
              return bytes >= maxBytes;
            });
    List<RowLook> looks = new ArrayList<>();
    for (RowRef row : rows) {
      RowLook look = found.get(decoder.known(row));
      if (look != null) {
        looks.add(new RowLook(row, look.row(), look.state()));
      } else if (!cut) {
        looks.add(new RowLook(row, null, EventState.GONE));
      }
    }
    return looks;
  }

  private RowLook rowLook(ResultSet result) throws SQLException {
    OutboxRow row = decoder.decode(result, false);
    return new RowLook(
        decoder.known(row.ref()), row, EventState.valueOf(result.getString("event_state")));
  }

  List<OperatorRequest> requests(List<Integer> lanes, long after, int maxRequests) {
    return database.call(
        "read requests of operators",
        reads.requests(lanes.size()),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.lanes(lanes);
          binding.number(after);
          binding.limits(new Limits(maxRequests, RequestPages.BYTES, Session.NONE));
          List<OperatorRequest> requests = new ArrayList<>();
          long bytes = 0;
          try (ResultSet result = statement.executeQuery()) {
            while (bytes < RequestPages.BYTES && result.next()) {
              OperatorRequest request = request(result);
              requests.add(request);
              OutboxRow row = request.row();
              bytes += row == null ? 0 : row.readBytes();
            }
          }
          return requests;
        });
  }

  private OperatorRequest request(ResultSet result) throws SQLException {
    Verb verb = Verb.valueOf(result.getString("verb"));
    OutboxRow row = decoder.present(result) ? decoder.decode(result, verb == Verb.REPLAY) : null;
    int rowId = result.findColumn("request_row");
    return new OperatorRequest(
        result.getLong("request_id"),
        verb,
        Objects.requireNonNull(dialect.readId(result, rowId, kind), "row id of a request"),
        row,
        EventState.valueOf(result.getString("event_state")),
        result.getString("reason"));
  }

  Set<String> pausedDestinations() {
    return database.call(
        "read paused destinations",
        reads.pausedDestinations(),
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

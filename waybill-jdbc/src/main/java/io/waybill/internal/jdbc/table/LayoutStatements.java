package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.LogFlush;
import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.LayoutDecoder.Placed;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader's statements on rows of any table, each one call. Used by one thread. */
public final class LayoutStatements {
  private final Database database;
  private final Layout layout;
  private final SqlDialect dialect;
  private final LayoutReads reads;
  private final RowIdKind kind;
  private final boolean ordered;
  private final LayoutDecoder decoder;

  /** Rows, and whether there may be more. */
  record Page(List<Placed> rows, boolean cut) {
    static final Page NONE = new Page(List.of(), false);
  }

  public LayoutStatements(Database database, Layout layout, SqlDialect dialect, LayoutReads reads) {
    this.database = database;
    this.layout = layout;
    this.dialect = dialect;
    this.reads = reads;
    this.kind = layout.identity().kind();
    this.ordered = layout.order().column() != null;
    this.decoder = new LayoutDecoder(layout, dialect, reads.bound());
  }

  /** What tells a row from a later one with its id. */
  long created(OutboxRow row) {
    return RowCreated.of(row, layout);
  }

  public LayoutDecoder decoder() {
    return decoder;
  }

  /**
   * Returns when whatever has been read survives a crash.
   *
   * @param lane a lane that the reader's session owns
   */
  void makeDurable(int lane) {
    if (dialect.logFlush() instanceof LogFlush.Asked log) {
      String standing = database.call("read the log's position", log.standing(), this::unflushed);
      if (!standing.isEmpty() && !flushed(log, standing)) {
        database.call("flush the log", log.flush(), PreparedStatement::execute);
      }
      return;
    }
    database.call(
        "flush the log",
        reads.touch(),
        statement -> {
          statement.setInt(1, lane);
          return statement.executeUpdate();
        });
  }

  private String unflushed(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getBoolean(2) ? "" : result.getString(1);
    }
  }

  private boolean flushed(LogFlush.Asked log, String position) {
    return database.call(
        "check how far the log is flushed",
        log.flushed(),
        statement -> {
          statement.setString(1, position);
          try (ResultSet result = statement.executeQuery()) {
            return result.next() && result.getBoolean(1);
          }
        });
  }

  int laneCount() {
    return database.call(
        "count lanes", reads.laneCount(), statement -> Integer.parseInt(Binding.text(statement)));
  }

  /** Rows behind a place, or from the start. Lanes are empty for all. */
  Page page(@Nullable Place after, List<Integer> lanes, Limits limits) {
    return database.call(
        "read a page of rows",
        reads.page(after == null, lanes.size()),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          bind(binding, after);
          binding.oneOf(LayoutReads.laneKind(), longs(lanes));
          return rows(statement, binding, limits);
        });
  }

  Page byId(List<Object> ids, List<Integer> lanes, Limits limits) {
    return database.call(
        "read rows by id",
        reads.byId(ids.size(), lanes.size()),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.oneOf(kind, ids);
          binding.oneOf(LayoutReads.laneKind(), longs(lanes));
          return rows(statement, binding, limits);
        });
  }

  private Page rows(PreparedStatement statement, Binding binding, Limits limits)
      throws SQLException {
    binding.number(limits.fence());
    binding.limits(limits);
    List<Placed> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      long bytes = 0;
      while (bytes < limits.bytes() && result.next()) {
        Placed placed = decoder.placed(result);
        rows.add(placed);
        bytes += placed.row().readBytes();
      }
      return new Page(rows, rows.size() == limits.rows() || bytes >= limits.bytes());
    }
  }

  /** Rows that wait, behind one place if it is given and up to another: id and creation. */
  Map<Object, Long> sweep(@Nullable Place after, Place until, List<Integer> lanes, int limit) {
    return database.call(
        "sweep for late rows",
        reads.sweep(after == null, lanes.size()),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          bind(binding, after);
          bind(binding, until);
          binding.oneOf(LayoutReads.laneKind(), longs(lanes));
          binding.number(limit);
          Map<Object, Long> rows = new HashMap<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              Object id = Objects.requireNonNull(dialect.readId(result, 1, kind));
              rows.put(id, result.getLong(2));
            }
          }
          return rows;
        });
  }

  private void bind(Binding binding, @Nullable Place place) throws SQLException {
    if (place != null) {
      binding.place(place, ordered);
    }
  }

  static List<Long> longs(Collection<Integer> lanes) {
    return lanes.stream().map(Integer::longValue).toList();
  }
}

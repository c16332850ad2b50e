package io.waybill.internal.jdbc.table;

import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.LogFlush;
import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableDecoder.Placed;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reader's statements on rows of any table, each one call. Rows are those that wait: they were
 * created in a time range, are due, and nothing about them is in a side table. Used by one thread.
 */
public final class TableStatements {
  private final Database database;
  private final Layout layout;
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final String range;
  private final RowIdKind kind;
  private final boolean ordered;
  private final TableDecoder decoder;

  /** Rows, and whether there may be more. */
  record Page(List<Placed> rows, boolean cut) {
    static final Page NONE = new Page(List.of(), false);
  }

  /**
   * Statements for the rows of a table.
   *
   * @param database the reader's connection
   * @param layout the table's layout
   * @param dialect the database's dialect
   * @param terms the layout's parts of statements
   * @param range rows to read at first; failed and held rows are read whenever they were created
   * @throws IllegalArgumentException if there is a range, and the layout has no creation time
   */
  public TableStatements(
      Database database, Layout layout, SqlDialect dialect, TableTerms terms, TimeRange range) {
    this.database = database;
    this.layout = layout;
    this.dialect = dialect;
    this.terms = terms;
    this.kind = layout.identity().kind();
    this.ordered = layout.order().column() != null;
    this.decoder = new TableDecoder(layout, dialect, terms.bound());
    String created = layout.order().createdAt();
    if (created == null && !range.equals(TimeRange.ALL)) {
      throw new IllegalArgumentException(
          "A time range needs a column of the creation time, and the layout "
              + layout.name()
              + " has none");
    }
    this.range = created == null ? "" : dialect.and(range, terms.column(created));
  }

  /** What tells a row from a later one with its id. */
  long created(OutboxRow row) {
    return RowCreated.of(row, layout);
  }

  public TableDecoder decoder() {
    return decoder;
  }

  /**
   * Returns when whatever has been read survives a crash.
   *
   * @param lane a lane that the reader's session owns
   */
  void makeDurable(int lane) {
    if (dialect.logFlush() instanceof LogFlush.Asked log) {
      String position = database.call("read the log's position", log.position(), this::unflushed);
      if (!position.isEmpty()) {
        log.upTo(database, position);
      }
      return;
    }
    // Changes a row that no other session writes.
    database.call(
        "flush the log",
        terms.sql("update ${lane} set changed_at = ${now} where lane = ?"),
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

  int laneCount() {
    return database.call(
        "count lanes",
        terms.sql("select count(*) from ${lane}"),
        statement -> Integer.parseInt(Binding.text(statement)));
  }

  /** Rows behind a place, or from the start. Lanes are empty for all. */
  Page page(@Nullable Place after, List<Integer> lanes, Limits limits) {
    return database.call(
        "read a page of rows",
        rows(
            """
            select ${columns} from ${outbox} o ${context}
            where ${pending}${range} ${position} ${lanes} and ${due}
              and ${open}
              and ${alive}
            order by ${order} limit ?"""
                .replace(
                    "${position}", "and " + (after == null ? terms.placed() : terms.place(">"))),
            lanes),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          bind(binding, after);
          binding.lanes(lanes);
          return rows(statement, binding, limits);
        });
  }

  /** Rows from the start, of any owner. */
  Page waiting(Limits limits) {
    return database.call(
        "read rows of any owner",
        rows(
            """
            select ${columns} from ${outbox} o ${context}
            where ${pending}${range} and ${placed} and ${due}
              and ${open}
            order by ${order} limit ?"""
                .replace("${placed}", terms.placed()),
            List.of()),
        statement -> fetch(statement, new Binding(statement, dialect), limits));
  }

  Page byId(List<Object> ids, List<Integer> lanes, Limits limits) {
    return database.call(
        "read rows by id",
        rows(
            """
            select ${columns} from ${outbox} o ${context}
            where ${ids} and ${pending}${range} ${lanes} and ${due}
              and ${open}
              and ${alive}
            order by ${order} limit ?"""
                .replace("${ids}", dialect.oneOf(terms.id(), ids.size())),
            lanes),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.oneOf(kind, ids);
          binding.lanes(lanes);
          return rows(statement, binding, limits);
        });
  }

  private String rows(String query, List<Integer> lanes) {
    return terms.sql(dialect.bounded(lanes(query, lanes), terms.bound()));
  }

  private String lanes(String query, List<Integer> lanes) {
    String column = terms.lane();
    String ranged = query.replace("${range}", range);
    return ranged.replace(
        "${lanes}",
        lanes.isEmpty() || column == null ? "" : "and " + dialect.oneOf(column, lanes.size()));
  }

  private Page rows(PreparedStatement statement, Binding binding, Limits limits)
      throws SQLException {
    binding.number(limits.fence());
    return fetch(statement, binding, limits);
  }

  private Page fetch(PreparedStatement statement, Binding binding, Limits limits)
      throws SQLException {
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
  Map<Object, Long> rescan(@Nullable Place after, Place until, List<Integer> lanes, int limit) {
    return database.call(
        "rescan for late rows",
        terms.sql(
            lanes(
                """
                select ${id}, ${row_created} from ${outbox} o
                where ${pending}${range} ${position} and ${until} ${lanes} and ${due}
                  and ${open}
                limit ?"""
                    .replace("${position}", after == null ? "" : "and " + terms.place(">"))
                    .replace("${until}", terms.place("<=")),
                lanes)),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          bind(binding, after);
          bind(binding, until);
          binding.lanes(lanes);
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
}

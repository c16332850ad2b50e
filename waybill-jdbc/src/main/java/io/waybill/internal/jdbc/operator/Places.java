package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.AdminFilter.Condition;
import io.waybill.internal.jdbc.operator.AdminSql.From;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * Places in the order of the rows: as texts, so that a list can be continued, and as conditions.
 * Immutable.
 */
final class Places {
  private static final char BETWEEN = ':';

  private final SqlDialect dialect;
  private final TableTerms terms;
  private final RowIdKind kind;
  private final boolean ordered;

  Places(Layout layout, SqlDialect dialect, TableTerms terms) {
    this.dialect = dialect;
    this.terms = terms;
    this.kind = layout.identity().kind();
    this.ordered = layout.order().column() != null;
  }

  /** Which way a list goes through the rows. */
  enum Direction {
    /** From the first row on. */
    FORWARD("${order}"),
    /** From the last row back. */
    BACKWARD("${latest}");

    private final String order;

    Direction(String order) {
      this.order = order;
    }

    String order() {
      return order;
    }
  }

  String of(Place place) {
    return ordered ? place.value() + String.valueOf(BETWEEN) + place.rowId() : "" + place.rowId();
  }

  private Place parse(String text) {
    int between = ordered ? text.indexOf(BETWEEN) : -1;
    Object id = dialect.parseId(text.substring(between + 1), kind);
    Object value = ordered ? number(text.substring(0, Math.max(0, between))) : (Long) 0L;
    if (id == null || !(value instanceof Long number)) {
      throw new IllegalArgumentException("No event has the position '" + text + "'");
    }
    return new Place(number, id);
  }

  private Object number(String text) {
    Object number = dialect.parseId(text, RowIdKind.LONG);
    return number == null ? text : number;
  }

  /** Rows up to a position. */
  Condition upTo(String position, Direction direction) {
    return condition(
        switch (direction) {
          case FORWARD -> terms.upTo();
          case BACKWARD -> terms.from();
        },
        position);
  }

  /**
   * Rows behind a position: by the records, where the search starts there and their order is that
   * of the rows.
   */
  Condition behind(String position, Direction direction, From from) {
    boolean byRecord = from != From.OUTBOX && from != From.DEAD && !ordered;
    // Texts may have another order beside the outbox.
    boolean sameOrder = kind != RowIdKind.STRING;
    return condition(
        switch (direction) {
          case FORWARD -> byRecord && sameOrder ? "s.row_id > ?" : terms.after();
          case BACKWARD -> byRecord && sameOrder ? "s.row_id < ?" : terms.before();
        },
        position);
  }

  private Condition condition(String sql, String position) {
    Place place = parse(position);
    return new Condition(sql, binding -> binding.place(place, ordered));
  }

  /**
   * Finds the last of as many rows. Parameters: those of the conditions, number of rows before it.
   *
   * @param conditions conditions that the rows meet
   * @param direction which way the rows are counted
   * @return statement returning a row for {@link #read}, or nothing if there are fewer rows
   */
  String last(List<String> conditions, Direction direction) {
    return terms.sql(
        "select ${id}, %s from ${outbox} o where %s and %s order by %s limit 1 offset ?"
            .formatted(
                terms.orderNumber(),
                terms.placed(),
                String.join(" and ", conditions),
                direction.order()));
  }

  String read(ResultSet result) throws SQLException {
    Object id = Objects.requireNonNull(dialect.readId(result, 1, kind), "row id");
    return of(new Place(result.getLong(2), id));
  }
}

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
    FORWARD,
    /** From the last row back. */
    BACKWARD
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
  Condition upTo(String position, Direction direction, From from) {
    return condition(
        switch (direction) {
          case FORWARD -> "<=";
          case BACKWARD -> ">=";
        },
        position,
        from);
  }

  /** Rows behind a position. */
  Condition behind(String position, Direction direction, From from) {
    return condition(
        switch (direction) {
          case FORWARD -> ">";
          case BACKWARD -> "<";
        },
        position,
        from);
  }

  /** The order of a list, for {@code order by}. */
  String order(Direction direction, From from) {
    return switch (direction) {
      case FORWARD -> byRecord(from) ? "s.row_id" : "${order}";
      case BACKWARD -> byRecord(from) ? "s.row_id desc" : "${latest}";
    };
  }

  /** Whether a search starts at the records, and their order is that of the rows. */
  boolean byRecord(From from) {
    // Texts may have another order beside the outbox.
    boolean sameOrder = !ordered && kind != RowIdKind.STRING;
    return sameOrder && from != From.OUTBOX && from != From.DEAD;
  }

  private Condition condition(String relation, String position, From from) {
    Place place = parse(position);
    String sql = byRecord(from) ? "s.row_id " + relation + " ?" : terms.place(relation);
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
                order(direction, From.OUTBOX)));
  }

  String read(ResultSet result) throws SQLException {
    Object id = Objects.requireNonNull(dialect.readId(result, 1, kind), "row id");
    return of(new Place(result.getLong(2), id));
  }
}

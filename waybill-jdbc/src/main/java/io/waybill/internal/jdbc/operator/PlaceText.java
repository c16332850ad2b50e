package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;

/** Places as texts, so that a list can be continued behind its last event. Immutable. */
final class PlaceText {
  private static final char BETWEEN = ':';

  private final SqlDialect dialect;
  private final RowIdKind kind;
  private final boolean ordered;

  PlaceText(Layout layout, SqlDialect dialect) {
    this.dialect = dialect;
    this.kind = layout.identity().kind();
    this.ordered = layout.order().column() != null;
  }

  /** Whether a column orders the rows. */
  boolean ordered() {
    return ordered;
  }

  String of(Place place) {
    return ordered ? place.value() + String.valueOf(BETWEEN) + place.rowId() : "" + place.rowId();
  }

  Place parse(String text) {
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
}

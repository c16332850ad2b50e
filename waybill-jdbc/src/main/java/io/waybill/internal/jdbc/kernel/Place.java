package io.waybill.internal.jdbc.kernel;

/**
 * Where a row stands in its table's order.
 *
 * @param value value of the order column, 0 without one
 * @param rowId row id, which decides among equals
 */
public record Place(long value, Object rowId) {
  /**
   * Whether this is before another place, as far as that can be told outside the database, whose
   * order of texts is its own.
   */
  public boolean before(Place other) {
    if (value != other.value) {
      return value < other.value;
    }
    return rowId instanceof Long mine
        && other.rowId instanceof Long theirs
        && mine.compareTo(theirs) < 0;
  }

  /** Whether this and another row have equal values, and ids that do not tell which came first. */
  public boolean isTied(Place other) {
    return value == other.value && !(rowId instanceof Long) && !rowId.equals(other.rowId);
  }
}

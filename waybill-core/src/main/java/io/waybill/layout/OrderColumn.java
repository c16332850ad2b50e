package io.waybill.layout;

/**
 * The column that orders the rows of a table; rows with equal values are ordered by row id.
 *
 * @param column the column, never null in a row
 * @param kind its type
 */
public record OrderColumn(String column, Kind kind) {
  /** Type of the column. */
  public enum Kind {
    /** A point in time. */
    TIME,
    /** An integer of at most 64 bits. */
    NUMBER
  }
}

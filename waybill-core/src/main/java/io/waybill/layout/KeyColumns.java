package io.waybill.layout;

/** The columns of a row's ordering key. A row with null in one of them has no key. */
public sealed interface KeyColumns {
  /** No row has a key. */
  record None() implements KeyColumns {}

  /**
   * Two columns.
   *
   * @param type column of the aggregate type
   * @param id column of the aggregate id
   */
  record TypeAndId(String type, String id) implements KeyColumns {}

  /**
   * One column.
   *
   * @param id column of the aggregate id
   * @param aggregateType aggregate type of every row
   */
  record Single(String id, String aggregateType) implements KeyColumns {}
}

package io.waybill.layout;

/** How a table marks the rows that wait to be published. */
public sealed interface StateColumn {
  /** Every row in the table waits; a published row is deleted. */
  record Presence() implements StateColumn {}

  /**
   * A boolean that is true for published rows.
   *
   * @param column the column, false by default
   */
  record Flag(String column) implements StateColumn {}

  /**
   * A word, in a character or enum column.
   *
   * @param column the column
   * @param pending word of rows that wait
   * @param published word of published rows
   * @param dead word of dead rows
   */
  record Word(String column, String pending, String published, String dead)
      implements StateColumn {}
}

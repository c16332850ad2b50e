package io.waybill.store;

import java.util.List;

/**
 * The result of one read.
 *
 * @param rows rows in order
 * @param more whether another read would return rows immediately; false after a read means that
 *     every row present when its lanes were assigned has been returned
 * @param backlog further blocked keys of lanes whose assignment did not return all of them
 * @param unordered number of pairs of one key in this read whose order the table does not determine
 */
public record ReadResult(List<OutboxRow> rows, boolean more, Backlog backlog, int unordered) {
  /**
   * Creates the result of a read that returned only rows, whose order the table determines.
   *
   * @param rows rows in order
   * @param more whether another read would return rows immediately
   */
  public ReadResult(List<OutboxRow> rows, boolean more) {
    this(rows, more, Backlog.NONE, 0);
  }

  /**
   * Creates the result of a read that returned blocked keys.
   *
   * @param backlog the blocked keys
   * @return no rows, and more to come
   */
  public static ReadResult blocked(Backlog backlog) {
    return new ReadResult(List.of(), true, backlog, 0);
  }
}

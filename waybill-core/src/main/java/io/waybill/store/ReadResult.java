package io.waybill.store;

import java.util.List;

/**
 * What one read returned.
 *
 * @param rows rows in order
 * @param more whether another read would return rows at once; false after a read says that every
 *     row present when its lanes were assigned has been returned
 * @param unordered pairs of one key among what was read whose order the table does not tell
 */
public record ReadResult(List<OutboxRow> rows, boolean more, int unordered) {
  /**
   * A read whose order the table tells.
   *
   * @param rows rows in order
   * @param more whether another read would return rows at once
   */
  public ReadResult(List<OutboxRow> rows, boolean more) {
    this(rows, more, 0);
  }
}

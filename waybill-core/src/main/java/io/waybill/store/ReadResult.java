package io.waybill.store;

import java.util.List;

/**
 * What one read returned.
 *
 * @param rows rows in order
 * @param more whether another read would return rows at once; false after a read says that every
 *     row present when its lanes were assigned has been returned
 * @param backlog what else is blocked in lanes whose assignment did not return all of it
 * @param unordered pairs of one key among what was read whose order the table does not tell
 */
public record ReadResult(List<OutboxRow> rows, boolean more, Backlog backlog, int unordered) {
  /**
   * A read that returned rows alone, whose order the table tells.
   *
   * @param rows rows in order
   * @param more whether another read would return rows at once
   */
  public ReadResult(List<OutboxRow> rows, boolean more) {
    this(rows, more, Backlog.NONE, 0);
  }

  /**
   * A read that returned what is blocked.
   *
   * @param backlog what is blocked
   * @return no rows, and more to come
   */
  public static ReadResult blocked(Backlog backlog) {
    return new ReadResult(List.of(), true, backlog, 0);
  }
}

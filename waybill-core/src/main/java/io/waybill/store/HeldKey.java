package io.waybill.store;

import io.waybill.message.EventKey;

/**
 * A key with rows that wait in the database.
 *
 * @param key the key
 * @param lane its lane
 * @param rows number of held rows
 */
public record HeldKey(EventKey key, int lane, long rows) {
  /**
   * The key under which a row is held. A row without a key has no order and is held under a name of
   * its own: an empty aggregate type, which no event has, and its row id.
   *
   * @param row the row
   * @return its key, or its name in place of one
   */
  public static EventKey nameOf(OutboxRow row) {
    EventKey key = row.key();
    return key == null ? new EventKey("", row.rowId().toString()) : key;
  }
}

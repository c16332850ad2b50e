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
   * The key under which a row is held. A row without a key has no order and is held under a unique
   * name: an empty aggregate type, which no event has, and its row id.
   *
   * @param row the row
   * @return its key, or the name in place of a key
   */
  public static EventKey nameOf(OutboxRow row) {
    EventKey key = row.key();
    return key == null ? new EventKey("", row.rowId().toString()) : key;
  }
}

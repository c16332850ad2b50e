package io.waybill.store;

import io.waybill.message.EventKey;

/**
 * A key with rows that wait in the database.
 *
 * @param key the key
 * @param lane its lane
 * @param rows number of held rows
 */
public record HeldKey(EventKey key, int lane, long rows) {}

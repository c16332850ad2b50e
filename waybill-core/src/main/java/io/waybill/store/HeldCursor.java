package io.waybill.store;

import io.waybill.message.EventKey;
import org.jspecify.annotations.Nullable;

/**
 * How far the held rows of a key have been taken.
 *
 * @param key the key
 * @param afterRowId last held row taken, or null for none
 */
public record HeldCursor(EventKey key, @Nullable Object afterRowId) {}

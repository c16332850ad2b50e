package io.waybill.store;

import io.waybill.store.OperatorRequest.EventState;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a row.
 *
 * @param ref identifies the row
 * @param row the row as it is now, without headers and payload if it is parked; null if it is gone
 * @param state its state according to the table, or according to the side tables if the row waits
 *     in the table
 */
public record RowLook(RowRef ref, @Nullable OutboxRow row, EventState state) {}

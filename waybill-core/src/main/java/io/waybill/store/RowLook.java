package io.waybill.store;

import io.waybill.store.OperatorRequest.Standing;
import org.jspecify.annotations.Nullable;

/**
 * How a row stands now.
 *
 * @param ref which row
 * @param row the row as it is now, without headers and payload if it is parked; null if it is gone
 * @param standing where it stands, as the table's own words say and, where those say that it waits,
 *     the tables beside it
 */
public record RowLook(RowRef ref, @Nullable OutboxRow row, Standing standing) {}

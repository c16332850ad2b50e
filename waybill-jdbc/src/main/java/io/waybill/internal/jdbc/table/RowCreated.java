package io.waybill.internal.jdbc.table;

import io.waybill.layout.Layout;
import io.waybill.store.OutboxRow;

/**
 * What tells a row from a later one with the same id, in the tables beside the outbox: its time of
 * creation. A row id comes again after a truncation, a restore or a reset sequence.
 */
public final class RowCreated {
  private RowCreated() {}

  /** Microseconds since the epoch; 0 where the outbox has no column for it. */
  public static long of(OutboxRow row, Layout layout) {
    // What was read is otherwise the time of the read.
    return layout.order().createdAt() == null ? 0 : row.createdAtMicros();
  }
}

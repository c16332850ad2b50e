package io.waybill.internal.relay;

import io.waybill.store.OutboxRow;
import org.jspecify.annotations.Nullable;

/** Where a row that is tried again stands in its key, as far as the rows themselves can tell. */
final class Turns {
  private Turns() {}

  /** The last entry that goes before the row; null if none does. */
  static @Nullable Entry lastBefore(OutboxRow row, KeyQueue key) {
    Entry last = null;
    boolean sent = true;
    boolean pastLater = false;
    for (Entry one = key.head; one != null; one = one.next) {
      sent &= one != key.unsent();
      if (sent) {
        last = one;
      } else if (!one.row.replay()) {
        boolean earlier = isEarlier(one.row, row, one.triedAgain);
        // What was committed late, or set back with SQL, stands behind later rows: it is no reason
        // to go behind them, too.
        last = earlier && (one.triedAgain || !pastLater) ? one : last;
        pastLater |= !earlier;
      }
    }
    return last;
  }

  private static boolean isEarlier(OutboxRow waits, OutboxRow row, boolean triedAgain) {
    if (waits.rowId() instanceof Long one && row.rowId() instanceof Long other) {
      return one < other;
    }
    // Ids of other kinds are in no order. What waits for its first turn came after what was given
    // up. Of two that are tried again the older one goes first; where the table has no time of
    // creation, the one that was asked for first.
    return triedAgain && waits.createdAtMicros() <= row.createdAtMicros();
  }
}

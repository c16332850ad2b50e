package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.table.TableDecoder.Placed;
import io.waybill.internal.observe.LogFields;
import io.waybill.message.EventKey;
import io.waybill.message.TraceContext;
import io.waybill.store.OutboxRow;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts rows that were returned behind rows of the same key that the table's order has after them:
 * writers whose clocks differ, or ids given out in another order than that of the commits. And
 * counts pairs of a key whose order is by chance: equal order values, and ids that do not grow.
 * Used by one thread.
 */
final class InversionDetector {
  private static final Logger LOG = LoggerFactory.getLogger(InversionDetector.class);
  private static final int KEYS = 20_000;

  private final String table;
  private final Map<EventKey, Last> last =
      new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EventKey, Last> eldest) {
          return size() > KEYS;
        }
      };
  private long seen;
  private int unordered;

  private record Last(Place place, int lane) {}

  InversionDetector(String table) {
    this.table = table;
  }

  void returned(Placed placed) {
    EventKey key = placed.row().key();
    if (key == null || placed.delayed()) {
      return;
    }
    Last before = last.get(key);
    if (before != null && placed.place().before(before.place())) {
      seen++;
      // Each power of two: enough to see it grow, never a flood.
      if (Long.bitCount(seen) == 1) {
        OutboxRow row = placed.row();
        LogFields.around(
            row.eventId(),
            row.eventType(),
            TraceContext.traceId(row.traceparent()),
            () ->
                LOG.warn(
                    "Event {} of {} became visible after a later event of its key had been read ({}"
                        + " so far): their order in the table is not the order of their commits",
                    row.eventId(),
                    table,
                    seen));
      }
      return;
    }
    if (before != null && placed.place().isTied(before.place())) {
      unordered++;
    }
    last.put(key, new Last(placed.place(), placed.row().lane()));
  }

  /** Pairs whose order is by chance since the last time that this was asked. */
  int takeUnordered() {
    int pairs = unordered;
    unordered = 0;
    return pairs;
  }

  long seen() {
    return seen;
  }

  void forgetLanes(Collection<Integer> lanes) {
    last.values().removeIf(entry -> lanes.contains(entry.lane()));
  }

  void clear() {
    last.clear();
  }
}

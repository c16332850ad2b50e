package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Place;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Rows that a reader has returned and that are not known to be settled. A walk begins whenever the
 * reader begins at the table's start: what was returned before may stand behind its place. Used by
 * one thread.
 */
final class Returned {
  private final Map<Object, Entry> rows = new HashMap<>();
  private int walk;

  /** A row id may come again: with its time of creation it does not. */
  private record Entry(long created, int lane, Place place, int walk) {}

  /** A row that was returned, or passed over, in this walk: it stands up to the reader's place. */
  void add(Object rowId, long created, int lane, Place place) {
    rows.put(rowId, new Entry(created, lane, place, walk));
  }

  boolean has(Object rowId, long created) {
    Entry entry = rows.get(rowId);
    return entry != null && entry.created() == created;
  }

  void forget(Object rowId) {
    rows.remove(rowId);
  }

  int size() {
    return rows.size();
  }

  void startWalk() {
    walk++;
  }

  /**
   * Forgets rows that the table no longer shows as waiting.
   *
   * @param waiting all that wait up to the reader's place
   * @param until the place; of rows of earlier walks those are looked at whose times are before it
   */
  void retain(Map<Object, Long> waiting, Place until) {
    rows.entrySet()
        .removeIf(
            row ->
                isSwept(row.getValue(), until)
                    && !Long.valueOf(row.getValue().created()).equals(waiting.get(row.getKey())));
  }

  private boolean isSwept(Entry entry, Place until) {
    return entry.walk() == walk || entry.place().before(until);
  }

  void forgetLanes(Collection<Integer> gone) {
    rows.values().removeIf(entry -> gone.contains(entry.lane()));
  }

  void clear() {
    rows.clear();
  }
}

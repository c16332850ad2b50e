package io.waybill.jdbc;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Rows that a reader has returned and that are not known to be settled. Used by one thread. */
final class Returned {
  private final Map<Object, Integer> lanes = new HashMap<>();

  void add(Object rowId, int lane) {
    lanes.put(rowId, lane);
  }

  boolean has(Object rowId) {
    return lanes.containsKey(rowId);
  }

  void forget(Object rowId) {
    lanes.remove(rowId);
  }

  boolean isEmpty() {
    return lanes.isEmpty();
  }

  int size() {
    return lanes.size();
  }

  /** Forgets rows that the table no longer shows as waiting. */
  void retain(Set<Object> waiting) {
    lanes.keySet().retainAll(waiting);
  }

  void forgetLanes(Collection<Integer> gone) {
    lanes.values().removeIf(gone::contains);
  }

  void clear() {
    lanes.clear();
  }
}

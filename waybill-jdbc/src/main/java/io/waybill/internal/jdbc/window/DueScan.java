package io.waybill.internal.jdbc.window;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Delayed rows that became due up to a horizon, being read by a list of their ids. */
final class DueScan {
  /** Ids looked at, and held in memory, at a time. */
  static final int LIST = 10_000;

  private final long untilMicros;
  private final Deque<Long> ids = new ArrayDeque<>();
  private long listedUpTo;
  private boolean allListed;

  DueScan(long untilMicros) {
    this.untilMicros = untilMicros;
  }

  long untilMicros() {
    return untilMicros;
  }

  boolean needsList() {
    return ids.isEmpty() && !allListed;
  }

  boolean finished() {
    return ids.isEmpty() && allListed;
  }

  long listedUpTo() {
    return listedUpTo;
  }

  void list(List<Long> more, long lookedUpTo, boolean all) {
    ids.addAll(more);
    allListed = all;
    listedUpTo = lookedUpTo;
  }

  List<Long> next(int count) {
    List<Long> next = new ArrayList<>(Math.min(count, ids.size()));
    for (Long id : ids) {
      if (next.size() == count) {
        break;
      }
      next.add(id);
    }
    return next;
  }

  void taken(long lastId) {
    while (!ids.isEmpty() && ids.getFirst() <= lastId) {
      ids.removeFirst();
    }
  }
}

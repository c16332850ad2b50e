package io.waybill.internal.relay;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sends without outcome, by their ids. Ids are given out one after the other, so that a ring
 * finds most of them without hashing. A send whose place is taken, because another one has waited
 * long, goes into a map.
 */
final class InFlight {
  private static final int SLOTS = 1 << 14;

  private final @Nullable Entry[] entries = new Entry[SLOTS];
  private final long[] ids = new long[SLOTS];
  private final Map<Long, Entry> displaced = new HashMap<>();
  private int size;

  void put(long id, Entry entry) {
    int slot = slot(id);
    if (entries[slot] == null) {
      entries[slot] = entry;
      ids[slot] = id;
    } else {
      displaced.put(id, entry);
    }
    size++;
  }

  /** The entry of a send; null when the send is not known, or no longer. */
  @Nullable Entry remove(long id) {
    int slot = slot(id);
    Entry entry = entries[slot];
    if (entry != null && ids[slot] == id) {
      entries[slot] = null;
    } else {
      entry = displaced.isEmpty() ? null : displaced.remove(id);
    }
    if (entry != null) {
      size--;
    }
    return entry;
  }

  int size() {
    return size;
  }

  void clear() {
    Arrays.fill(entries, null);
    displaced.clear();
    size = 0;
  }

  private static int slot(long id) {
    return (int) id & (SLOTS - 1);
  }
}

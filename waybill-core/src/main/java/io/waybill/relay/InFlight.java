package io.waybill.relay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sends without outcome, by their ids. Ids are given out one after the other, so that a ring
 * finds them without hashing; it grows when an old send is still out where a new one belongs.
 */
final class InFlight {
  private @Nullable Entry[] entries = new Entry[1 << 10];
  private long[] ids = new long[1 << 10];
  private int size;

  void put(long id, Entry entry) {
    while (entries[slot(id)] != null) {
      grow();
    }
    entries[slot(id)] = entry;
    ids[slot(id)] = id;
    size++;
  }

  /** The entry of a send; null when the send is not known, or no longer. */
  @Nullable Entry remove(long id) {
    int slot = slot(id);
    Entry entry = entries[slot];
    if (entry == null || ids[slot] != id) {
      return null;
    }
    entries[slot] = null;
    size--;
    return entry;
  }

  int size() {
    return size;
  }

  void clear() {
    Arrays.fill(entries, null);
    size = 0;
  }

  private int slot(long id) {
    return (int) id & (entries.length - 1);
  }

  private void grow() {
    @Nullable Entry[] oldEntries = entries;
    long[] oldIds = ids;
    entries = new Entry[2 * oldEntries.length];
    ids = new long[entries.length];
    for (int i = 0; i < oldEntries.length; i++) {
      if (oldEntries[i] != null) {
        // No two of them meet: they did not in half the space.
        entries[slot(oldIds[i])] = oldEntries[i];
        ids[slot(oldIds[i])] = oldIds[i];
      }
    }
  }
}

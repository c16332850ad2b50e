package io.waybill.bench.child;

import io.waybill.bench.load.Ref;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What arrived: which events, how often, and whether first deliveries of a key came in order. */
final class Tally {
  private final List<BitSet> seen = new ArrayList<>();
  private final long[] highest;
  private long distinct;
  private long duplicates;
  private long inversions;

  Tally(int keys) {
    highest = new long[keys];
    for (int key = 0; key < keys; key++) {
      seen.add(new BitSet());
      highest[key] = -1;
    }
  }

  /** Returns whether it was the event's first delivery. */
  boolean arrived(long ref) {
    int key = Ref.key(ref);
    long position = Ref.position(ref);
    BitSet positions = seen.get(key);
    if (positions.get((int) position)) {
      duplicates++;
      return false;
    }
    positions.set((int) position);
    distinct++;
    if (position < highest[key]) {
      inversions++;
    }
    highest[key] = Math.max(highest[key], position);
    return true;
  }

  long distinct() {
    return distinct;
  }

  long duplicates() {
    return duplicates;
  }

  long inversions() {
    return inversions;
  }
}

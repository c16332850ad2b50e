package io.waybill.outbox;

import io.waybill.message.Event;
import java.util.ArrayList;
import java.util.List;

/** Cuts events into statements whose parameters fit into memory and protocol. */
final class Batches {
  private static final int MAX_EVENTS = 5_000;
  private static final long MAX_BYTES = 32L << 20;

  private Batches() {}

  static List<List<Event>> of(List<Event> events) {
    List<List<Event>> batches = new ArrayList<>(1);
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < events.size(); i++) {
      long size = size(events.get(i));
      if (i > start && (i - start == MAX_EVENTS || bytes + size > MAX_BYTES)) {
        batches.add(events.subList(start, i));
        start = i;
        bytes = 0;
      }
      bytes += size;
    }
    if (start < events.size()) {
      batches.add(events.subList(start, events.size()));
    }
    return batches;
  }

  private static int size(Event event) {
    byte[] bytes = event.payload().bytes();
    return bytes == null ? 0 : bytes.length;
  }
}

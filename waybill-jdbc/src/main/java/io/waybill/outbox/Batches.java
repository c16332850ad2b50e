package io.waybill.outbox;

import io.waybill.message.Event;
import io.waybill.message.Header;
import java.util.ArrayList;
import java.util.List;

/** Cuts events into statements whose parameters fit into memory and protocol. */
final class Batches {
  private static final int MAX_EVENTS = 5_000;

  private Batches() {}

  static List<List<Event>> of(List<Event> events, long maxBytes) {
    List<List<Event>> batches = new ArrayList<>(1);
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < events.size(); i++) {
      long size = size(events.get(i));
      if (i > start && (i - start == MAX_EVENTS || bytes + size > maxBytes)) {
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

  private static long size(Event event) {
    byte[] bytes = event.payload().bytes();
    long size = (long) event.id().length() + event.type().length();
    for (Header header : event.headers().list()) {
      size += (long) header.name().length() + header.value().length();
    }
    return bytes == null ? size : size + bytes.length;
  }
}

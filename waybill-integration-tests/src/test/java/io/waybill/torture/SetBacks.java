package io.waybill.torture;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Databases that go on from an earlier point: they are copied, and the copy is put back later. What
 * was committed in between is gone. Used by one thread at a time; any may ask.
 */
final class SetBacks implements EarlierPoint {
  private static final String PREFIX = "evt-";

  private final Writers writers;
  private final EarlierPoint data;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private long copiedAt;

  /** Events whose numbers are behind the first, up to the second, were begun in between. */
  private record Span(long after, long until) {}

  SetBacks(EarlierPoint data, Writers writers) {
    this.data = data;
    this.writers = writers;
  }

  @Override
  public void copy() throws InterruptedException {
    copiedAt = writers.lastNumber();
    data.copy();
  }

  @Override
  public void putBack() throws InterruptedException {
    data.putBack();
    spans.add(new Span(copiedAt, writers.lastNumber()));
  }

  /** Whether an event that is not in the database now may have been there once. */
  boolean took(String eventId, Set<String> committed) {
    if (committed.contains(eventId) || !eventId.startsWith(PREFIX)) {
      return false;
    }
    long number = Long.parseLong(eventId.substring(PREFIX.length()));
    return spans.stream().anyMatch(span -> number > span.after() && number <= span.until());
  }
}

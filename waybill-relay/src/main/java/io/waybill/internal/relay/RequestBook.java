package io.waybill.internal.relay;

import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import io.waybill.store.Settlement.HandledRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which operators' requests are taken up, and which rows changed since the look or the read under
 * way began: it may show them as they were.
 */
final class RequestBook {
  // Nobody gives a row up and sets it back within so short a time after it was read.
  private static final long SOON_NANOS = 100_000_000L;

  // Taken up and not yet settled; a look at the table still shows them.
  private final Set<Long> takenUp = new HashSet<>();
  private final Set<Long> settledSinceLook = new HashSet<>();
  private final Map<Object, Entry> changedSinceLook = new HashMap<>();
  private final Map<RowRef, Entry> publishedSinceRead = new HashMap<>();
  private boolean looking;
  private boolean reading;

  /** New rows are read. */
  void readBegins() {
    reading = true;
  }

  /** The read has an answer, which is taken in, or has failed. */
  void readEnds() {
    reading = false;
    publishedSinceRead.clear();
  }

  /** The entry of a row that is marked as published since the read began; null if there is none. */
  @Nullable Entry publishedSinceRead(OutboxRow row) {
    return publishedSinceRead.isEmpty() ? null : publishedSinceRead.get(row.ref());
  }

  void lookBegins() {
    looking = true;
    settledSinceLook.clear();
    changedSinceLook.clear();
  }

  /** Rows whose state as just read may be out of date, each with an entry that changes it. */
  Map<Object, Entry> lookEnds(SettlementScheduler settling) {
    looking = false;
    Map<Object, Entry> moving = new HashMap<>(changedSinceLook);
    settling.eachEntry(entry -> addChanged(moving, entry));
    return moving;
  }

  /** A replay changes nothing of its row. */
  private static void addChanged(Map<Object, Entry> rows, Entry entry) {
    if (!entry.row.replay()) {
      rows.put(entry.row.rowId(), entry);
    }
  }

  boolean isOpen(long requestId) {
    return !takenUp.contains(requestId) && !settledSinceLook.contains(requestId);
  }

  void takeUp(long requestId) {
    takenUp.add(requestId);
  }

  /** The entry that was to answer a request is dropped: whoever owns its lane looks again. */
  void dropped(Entry entry) {
    if (entry.requestId != 0) {
      takenUp.remove(entry.requestId);
    }
  }

  void settled(SettleBuffer.Batch batch, long now) {
    for (HandledRequest handled : batch.settlement().handled()) {
      takenUp.remove(handled.requestId());
      if (looking) {
        settledSinceLook.add(handled.requestId());
      }
    }
    if (looking) {
      batch.entries().forEach(entry -> addChanged(changedSinceLook, entry));
    }
    if (reading) {
      batch.entries().stream()
          .filter(entry -> entry.isPublished() && now - entry.readNanos > SOON_NANOS)
          .forEach(entry -> publishedSinceRead.put(entry.row.ref(), entry));
    }
  }

  void clear() {
    takenUp.clear();
    readEnds();
  }
}

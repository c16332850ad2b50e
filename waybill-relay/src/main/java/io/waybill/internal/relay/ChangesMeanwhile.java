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
 * What changes while the reader reads rows, or looks at some or at requests: it may show them as
 * they were before. A request that is taken up is not open again until its answer is settled.
 */
final class ChangesMeanwhile {
  // Nobody gives a row up and sets it back within so short a time after it was read.
  private static final long SOON_NANOS = 100_000_000L;

  private final Set<Long> takenUp = new HashSet<>();
  private final Set<Long> handledSinceLook = new HashSet<>();
  private final Since<Object> changedSinceLook = new Since<>();
  private final Since<RowRef> publishedSinceRead = new Since<>();

  /** Entries of rows that change during a call of the reader. */
  private static final class Since<K> {
    private Map<K, Entry> rows = new HashMap<>();
    private boolean underWay;

    void begins() {
      underWay = true;
      rows.clear();
    }

    Map<K, Entry> ends() {
      Map<K, Entry> ended = rows;
      rows = new HashMap<>();
      underWay = false;
      return ended;
    }
  }

  /** New rows are read. */
  void readBegins() {
    publishedSinceRead.begins();
  }

  /** The read has an answer, which is taken in, or has failed. */
  void readEnds() {
    publishedSinceRead.ends();
  }

  /** The entry of a row that is marked as published since the read began; null if there is none. */
  @Nullable Entry publishedSinceRead(OutboxRow row) {
    Map<RowRef, Entry> published = publishedSinceRead.rows;
    return published.isEmpty() ? null : published.get(row.ref());
  }

  void lookBegins() {
    changedSinceLook.begins();
    handledSinceLook.clear();
  }

  /** Rows whose state as just read may be out of date, each with an entry that changes it. */
  Map<Object, Entry> lookEnds(SettlementScheduler settling) {
    Map<Object, Entry> moving = changedSinceLook.ends();
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
    return !takenUp.contains(requestId) && !handledSinceLook.contains(requestId);
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
      if (changedSinceLook.underWay) {
        handledSinceLook.add(handled.requestId());
      }
    }
    if (changedSinceLook.underWay) {
      batch.entries().forEach(entry -> addChanged(changedSinceLook.rows, entry));
    }
    if (publishedSinceRead.underWay) {
      batch.entries().stream()
          .filter(entry -> entry.isPublished() && now - entry.readNanos > SOON_NANOS)
          .forEach(entry -> publishedSinceRead.rows.put(entry.row.ref(), entry));
    }
  }

  void clear() {
    takenUp.clear();
    readEnds();
  }
}

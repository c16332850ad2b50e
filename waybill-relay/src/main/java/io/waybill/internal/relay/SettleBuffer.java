package io.waybill.internal.relay;

import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes of state that wait for their settlement, and the one settlement that is under way. */
final class SettleBuffer {
  private List<OutboxRow> published = new ArrayList<>();
  private List<OutboxRow> recovered = new ArrayList<>();
  private Map<RowRef, FailedRow> failed = new LinkedHashMap<>();
  private Map<RowRef, OutboxRow> held = new LinkedHashMap<>();
  private List<HandledRequest> handled = new ArrayList<>();
  private Map<RowRef, RowRef> forgotten = new LinkedHashMap<>();
  private Map<RowRef, FailedRow> setAside = new LinkedHashMap<>();
  private Map<RowRef, FailedRow> noted = new LinkedHashMap<>();
  // Entries to be told when their change is durable; an entry may stand here more than once.
  private List<Entry> entries = new ArrayList<>();
  private long since;

  boolean isEmpty() {
    return entries.isEmpty() && handled.isEmpty() && forgotten.isEmpty() && noted.isEmpty();
  }

  /** Changes; a note is none. */
  int size() {
    return entries.size() + handled.size() + forgotten.size();
  }

  List<Entry> entries() {
    return entries;
  }

  /** When the oldest change was added; meaningless when empty. */
  long since() {
    return since;
  }

  /** Whether something waits that an operator or a blocked key waits for. */
  boolean urgent() {
    return !handled.isEmpty();
  }

  void published(Entry entry, long now) {
    add(entry, now);
    if (entry.recorded) {
      recovered.add(entry.row);
      failed.remove(entry.row.ref());
    } else {
      published.add(entry.row);
    }
  }

  void failed(Entry entry, FailedRow row, long now) {
    add(entry, now);
    held.remove(row.row().ref());
    failed.put(row.row().ref(), row);
  }

  void held(Entry entry, long now) {
    add(entry, now);
    failed.remove(entry.row.ref());
    held.put(entry.row.ref(), entry.row);
  }

  /** The database refused the row's change: that is noted beside the outbox alone. */
  void setAside(Entry entry, FailedRow row, long now) {
    add(entry, now);
    failed.remove(row.row().ref());
    held.remove(row.row().ref());
    setAside.put(row.row().ref(), row);
  }

  /** Somebody else has marked or removed the row: what is recorded of it is void. */
  void forgotten(RowRef row, long now) {
    touch(now);
    failed.remove(row);
    held.remove(row);
    noted.remove(row);
    forgotten.put(row, row);
  }

  /** The table shows why the row waits, unless something else becomes of it before. */
  void noted(FailedRow row, long now) {
    touch(now);
    noted.put(row.row().ref(), row);
  }

  /** Whether something waits here that only the owner of a lane may say. */
  boolean bindsLanes() {
    return !noted.isEmpty() || !handled.isEmpty();
  }

  /** A replayed copy changes no state of its row. */
  void replayed(Entry entry, long now) {
    touch(now);
    entries.add(entry);
    entry.settling();
  }

  void handled(HandledRequest request, long now) {
    touch(now);
    handled.add(request);
  }

  /** Takes over what waits for the change of one row if something newer about that waits here. */
  boolean supersedes(Batch older) {
    boolean newer =
        older.entries().stream()
            .limit(1)
            .anyMatch(one -> entries.stream().anyMatch(e -> e.changes(one.row.ref())));
    if (newer) {
      entries.addAll(older.entries());
      handled.addAll(older.settlement().handled());
    }
    return newer;
  }

  private void add(Entry entry, long now) {
    touch(now);
    // Every row that is published comes by here: nothing is made for maps that are empty.
    if (!forgotten.isEmpty() || !setAside.isEmpty() || !noted.isEmpty()) {
      forgotten.remove(entry.row.ref());
      setAside.remove(entry.row.ref());
      noted.remove(entry.row.ref());
    }
    entries.add(entry);
    entry.settling();
  }

  private void touch(long now) {
    if (isEmpty()) {
      since = now;
    }
  }

  /** Takes everything out as one batch. */
  Batch take() {
    Batch batch =
        new Batch(
            new Settlement(
                published,
                recovered,
                List.copyOf(failed.values()),
                List.copyOf(held.values()),
                handled,
                List.copyOf(forgotten.values()),
                List.copyOf(setAside.values()),
                List.copyOf(noted.values())),
            entries);
    clear();
    return batch;
  }

  void clear() {
    published = new ArrayList<>();
    recovered = new ArrayList<>();
    failed = new LinkedHashMap<>();
    held = new LinkedHashMap<>();
    handled = new ArrayList<>();
    forgotten = new LinkedHashMap<>();
    setAside = new LinkedHashMap<>();
    noted = new LinkedHashMap<>();
    entries = new ArrayList<>();
  }

  /** One settlement and the entries that wait for it. */
  record Batch(Settlement settlement, List<Entry> entries) {
    int size() {
      return settlement.size();
    }
  }
}

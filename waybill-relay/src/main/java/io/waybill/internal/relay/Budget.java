package io.waybill.internal.relay;

import io.waybill.policy.EngineSettings;

/** What the rows in memory cost, from their read to their settlement. */
final class Budget {
  private final int maxRows;
  private final long maxBytes;
  private int rows;
  private long bytes;

  Budget(EngineSettings settings) {
    this.maxRows = settings.maxRows();
    this.maxBytes = settings.maxBytes();
  }

  void add(Entry entry) {
    rows++;
    bytes += entry.bytes;
  }

  void remove(Entry entry) {
    rows--;
    bytes -= entry.bytes;
  }

  void clear() {
    rows = 0;
    bytes = 0;
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  int freeRows() {
    return Math.max(0, maxRows - rows);
  }

  long freeBytes() {
    return Math.max(0, maxBytes - bytes);
  }

  /** Whether a read is worth its statement: a quarter of the budget is free. */
  boolean hasRoom() {
    return freeRows() >= Math.max(1, maxRows / 4) && freeBytes() >= Math.max(1, maxBytes / 4);
  }

  /** Whether rows that cannot be sent for now should wait in the database instead of here. */
  boolean tight() {
    return tightWith(0);
  }

  /** Whether they should once so many more rows are here. */
  boolean tightWith(int more) {
    return rows + more > maxRows / 2 || bytes > maxBytes / 2;
  }
}

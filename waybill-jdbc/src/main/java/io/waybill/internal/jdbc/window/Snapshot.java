package io.waybill.internal.jdbc.window;

/**
 * Text form of a {@code pg_snapshot}: {@code xmin:xmax:xip,...}.
 *
 * @param text the snapshot as the server wrote it
 */
record Snapshot(String text) {
  /** A snapshot that sees nothing. */
  static final Snapshot NONE = new Snapshot("1:1:");

  long xmax() {
    int first = text.indexOf(':');
    return Long.parseLong(text.substring(first + 1, text.indexOf(':', first + 1)));
  }

  /** Transactions that were running, as an array literal. */
  String running() {
    return "{" + text.substring(text.lastIndexOf(':') + 1) + "}";
  }

  boolean hasRunning() {
    return !text.endsWith(":");
  }
}

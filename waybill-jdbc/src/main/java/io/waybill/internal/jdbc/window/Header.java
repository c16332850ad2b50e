package io.waybill.internal.jdbc.window;

import java.util.List;

/**
 * Where the database stood when a statement of the reader began.
 *
 * @param snapshot what the statement saw
 * @param nowMicros database clock, microseconds since the epoch
 * @param highId last id that the sequence had given out, later than the snapshot
 * @param lsn position of the log, later than the snapshot
 * @param durable whether the log was flushed up to that position
 * @param nextDueMicros when the next delayed row becomes due; 0 if there is none
 * @param nextXid number that no transaction had yet when the statement ran, later than the snapshot
 * @param size rows in the window, of all lanes; 0 if the statement does not say
 */
record Header(
    Snapshot snapshot,
    long nowMicros,
    long highId,
    String lsn,
    boolean durable,
    long nextDueMicros,
    long nextXid,
    long size) {
  /** Whether a delayed row has become due. */
  boolean due() {
    return due(nowMicros);
  }

  boolean due(long micros) {
    return nextDueMicros != 0 && nextDueMicros <= micros;
  }

  /** The log's position as a number. */
  long log() {
    int slash = lsn.indexOf('/');
    return Long.parseLong(lsn, 0, slash, 16) << 32
        | Long.parseLong(lsn, slash + 1, lsn.length(), 16);
  }

  static Header parse(String text) {
    List<String> parts = List.of(text.split(" ", -1));
    Snapshot snapshot = new Snapshot(parts.get(0));
    return new Header(
        snapshot,
        Long.parseLong(parts.get(1)),
        Long.parseLong(parts.get(2)),
        parts.get(3),
        parts.get(4).equals("t"),
        Long.parseLong(parts.get(5)),
        snapshot.xmax() + Long.parseLong(parts.get(6)),
        parts.size() > 7 ? Long.parseLong(parts.get(7)) : 0);
  }
}

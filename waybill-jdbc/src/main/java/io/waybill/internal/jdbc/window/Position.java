package io.waybill.internal.jdbc.window;

/**
 * A point up to which rows have been returned: those that its snapshot sees.
 *
 * @param snapshot what was visible
 * @param nextXid every transaction that had begun when the snapshot was taken has a lower number
 * @param log bytes of log that were on disk before rows up to here were returned
 * @param low every transaction that began after the snapshot has ids above this one only
 * @param high every row that the snapshot sees has an id up to this one
 * @param number grows from position to position
 */
record Position(Snapshot snapshot, long nextXid, long log, long low, long high, long number) {
  // Ids that a crash can make the sequence give out again, those of unflushed transactions.
  private static final long CRASH_MARGIN = 1_000_000;

  /** Id after which every row lies that a later snapshot sees and this one does not. */
  long start(ReaderStatements statements) {
    return hasRunning() ? Math.min(low, statements.lowestId(this) - 1) : low;
  }

  /**
   * A snapshot lists the running transactions below its xmax only, which is the number behind the
   * last that has ended: those that nobody overtook are not among them.
   */
  private boolean hasRunning() {
    return snapshot.hasRunning() || nextXid > snapshot.xmax();
  }

  Position afterReconnect() {
    return new Position(snapshot, nextXid, log, Math.max(0, low - CRASH_MARGIN), high, number);
  }
}

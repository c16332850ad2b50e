package io.waybill.jdbc;

/**
 * Rows between two snapshots, being read by primary key.
 *
 * @param since what had been returned before
 * @param target where the scan ends
 * @param after id after which to go on
 * @param span ids to look at in one statement
 */
record Scan(Snapshot since, Position target, long after, long span) {
  private static final long FIRST_SPAN = 100_000;

  static Scan of(Snapshot since, Position target, long after) {
    return new Scan(since, target, after, FIRST_SPAN);
  }

  /** Last id that the next statement looks at. */
  long until() {
    return after > target.high() - span ? target.high() : after + span;
  }

  boolean finished() {
    return after >= target.high();
  }

  Scan from(long id) {
    return new Scan(since, target, id, span);
  }

  /** Gaps in the ids are crossed in growing steps, so that no number of statements gets large. */
  Scan wider() {
    return new Scan(since, target, after, Math.min(span * 2, Long.MAX_VALUE / 4));
  }

  Scan narrow() {
    return new Scan(since, target, after, FIRST_SPAN);
  }
}

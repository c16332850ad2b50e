package io.waybill.internal.jdbc.window;

/**
 * Rows between two snapshots, being read by primary key.
 *
 * @param since what had been returned before
 * @param target where the scan ends
 * @param after id after which to go on
 */
record Scan(Snapshot since, Position target, long after) {
  // Ids to look at in one statement, which bounds its time however few rows it finds.
  private static final long SPAN = 100_000;

  /** Last id that the next statement looks at. */
  long until() {
    return after > target.high() - SPAN ? target.high() : after + SPAN;
  }

  boolean finished() {
    return after >= target.high();
  }

  Scan from(long id) {
    return new Scan(since, target, id);
  }
}

package io.waybill.demo;

import java.util.Locale;

/**
 * The outcome of a run.
 *
 * @param reconciliation business rows against copies
 * @param rolledBack events whose transaction or savepoint was rolled back
 * @param faults faults that were made
 * @param seconds how long it took
 */
record DemoResult(Reconciliation reconciliation, long rolledBack, int faults, double seconds) {
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"committed\":%d,\"rolledBack\":%d,\"delivered\":%d,\"lost\":%d,\"ghosts\":%d,"
            + "\"orderViolations\":%d,\"duplicates\":%d,\"faults\":%d,\"seconds\":%.1f}",
        reconciliation.committed(),
        rolledBack,
        reconciliation.delivered(),
        reconciliation.lost(),
        reconciliation.ghosts(),
        reconciliation.orderViolations(),
        reconciliation.duplicates(),
        faults,
        seconds);
  }

  String text() {
    return String.format(
        Locale.ROOT,
        """

        Reconciliation of the business rows with what the consumer received
          committed         %,10d
          rolled back       %,10d
          delivered         %,10d
          lost              %,10d
          ghosts            %,10d
          order violations  %,10d
          duplicates        %,10d
          faults            %,10d
          seconds           %10.1f

        %s""",
        reconciliation.committed(),
        rolledBack,
        reconciliation.delivered(),
        reconciliation.lost(),
        reconciliation.ghosts(),
        reconciliation.orderViolations(),
        reconciliation.duplicates(),
        faults,
        seconds,
        verdict());
  }

  private String verdict() {
    return reconciliation.clean()
        ? "OK: every committed event arrived, none was invented, every key is in order."
        : "FAILED: what the consumer received does not match the business rows.";
  }
}

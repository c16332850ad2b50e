package io.waybill.demo;

import java.util.List;
import java.util.Locale;

/**
 * The outcome of a run.
 *
 * @param reconciliation business rows against copies
 * @param repairs what operators decided
 * @param rolledBack events whose transaction or savepoint was rolled back
 * @param faults faults that were made
 * @param seconds how long it took
 */
record DemoResult(
    Reconciliation reconciliation, Repairs repairs, long rolledBack, int faults, double seconds) {
  private static final int MOST_TOLD = 40;

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
        %s
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
        decisions(),
        verdict());
  }

  /** What operators decided, each event by its name; empty if nothing. */
  private String decisions() {
    if (repairs.equals(Repairs.NONE)) {
      return "";
    }
    long poison = repairs.poison().stream().filter(id -> !repairs.givenUp().contains(id)).count();
    StringBuilder text = new StringBuilder();
    text.append(
        """

          skipped           %,10d  of those that were committed
          poison            %,10d  in no ledger; %d of them not decided
        """
            .formatted(reconciliation.skipped(), repairs.poison().size(), poison));
    List<String> told = repairs.told();
    told.stream().limit(MOST_TOLD).forEach(line -> text.append("    ").append(line).append('\n'));
    if (told.size() > MOST_TOLD) {
      text.append("    and %,d more, in the audit%n".formatted(told.size() - MOST_TOLD));
    }
    return text.toString();
  }

  private String verdict() {
    return reconciliation.clean()
        ? reconciliation.skipped() == 0
            ? "OK: every committed event arrived, none was invented, every key is in order."
            : "OK: every committed event arrived or was given up by an operator, none was"
                + " invented, every key is in order."
        : "FAILED: what the consumer received does not match the business rows.";
  }
}

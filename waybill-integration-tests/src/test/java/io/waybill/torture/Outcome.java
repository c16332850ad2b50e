package io.waybill.torture;

import java.util.List;
import java.util.Locale;

/**
 * What a run showed.
 *
 * @param pair database and broker
 * @param seed its seed
 * @param events committed events
 * @param faults faults that happened
 * @param kills those among them that were {@code kill -9}
 * @param counts what the oracle counted
 * @param convergenceSeconds longest time from the end of faults until everything was delivered and
 *     settled
 * @param findings what must not be, for people; none if the oracle holds
 */
record Outcome(
    String pair,
    long seed,
    long events,
    int faults,
    int kills,
    Counts counts,
    double convergenceSeconds,
    List<String> findings) {
  /** What has to be zero, duplicates with a cause apart. */
  record Counts(
      long lost,
      long ghosts,
      long orderViolations,
      long duplicates,
      long unexplainedDuplicates,
      long dead,
      long parked) {}

  boolean holds() {
    return findings.isEmpty();
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"pair\":\"%s\",\"seed\":%d,\"events\":%d,\"faults\":%d,\"kills\":%d,\"lost\":%d,"
            + "\"ghosts\":%d,\"orderViolations\":%d,\"duplicates\":%d,"
            + "\"unexplainedDuplicates\":%d,\"dead\":%d,\"parked\":%d,"
            + "\"convergenceSeconds\":%.1f}",
        pair,
        seed,
        events,
        faults,
        kills,
        counts.lost(),
        counts.ghosts(),
        counts.orderViolations(),
        counts.duplicates(),
        counts.unexplainedDuplicates(),
        counts.dead(),
        counts.parked(),
        convergenceSeconds);
  }
}

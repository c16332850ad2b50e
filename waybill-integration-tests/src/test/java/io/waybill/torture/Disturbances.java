package io.waybill.torture;

import io.waybill.proof.oracle.FaultWindow;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tells recoveries that other faults disturbed from those that can be measured.
 *
 * @param faults all faults of a run
 */
record Disturbances(List<FaultWindow> faults) {
  // The kill itself is over when the server answers again.
  private static final long OWN_END_MILLIS = 1_000;
  // From the begin of a fault until the watch begins.
  private static final long OWN_START_MILLIS = 1_000;
  // What comes after a fault that has ended.
  private static final long SETTLING_MILLIS = 5_000;

  /**
   * Another relay that is away, trouble with the database, or what hits the same relay once more,
   * keeps lanes from being taken.
   */
  boolean ofTakeover(String relay, long startMillis, long endMillis) {
    return any(
        fault ->
            !fault.target().endsWith("broker")
                && (!fault.target().equals(relay)
                    || Math.abs(fault.startMillis() - startMillis) > OWN_START_MILLIS),
        startMillis,
        endMillis);
  }

  /**
   * As long as one relay lives, it is the ways to the servers that matter, and what happens to the
   * restarted server next.
   */
  boolean ofFirstPublish(String server, long readyMillis, long firstMillis) {
    return any(
        fault ->
            !fault.kind().startsWith("relay-")
                && (!fault.target().equals(server)
                    || fault.endMillis() - readyMillis > OWN_END_MILLIS),
        readyMillis,
        firstMillis);
  }

  private boolean any(Predicate<FaultWindow> matters, long startMillis, long endMillis) {
    return faults.stream()
        .filter(fault -> !fault.target().startsWith("writers"))
        .filter(fault -> !fault.kind().equals(FaultKind.RELAY_CLOCK.label()))
        .filter(matters)
        .anyMatch(fault -> fault.overlaps(startMillis - SETTLING_MILLIS, endMillis));
  }
}

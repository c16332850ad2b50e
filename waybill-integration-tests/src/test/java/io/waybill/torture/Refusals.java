package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Destinations that refused for a while, and what arrived meanwhile: nothing there, and events
 * everywhere else. Thread-safe.
 */
final class Refusals {
  // Shorter ones may fall together with an outage of a server.
  private static final long LEAST_MILLIS = 40_000;
  // From the answer of the broker that it refuses from now on until it does.
  private static final long EFFECTIVE_MILLIS = 2_000;

  /**
   * One that is over.
   *
   * @param kind why it refused
   * @param destination which one
   * @param fromMillis from when on it refused
   * @param untilMillis when it was repaired
   */
  record Refusal(FaultKind kind, String destination, long fromMillis, long untilMillis) {}

  private final List<Refusal> all = new ArrayList<>();

  synchronized void add(Refusal refusal) {
    all.add(refusal);
  }

  synchronized List<Refusal> all() {
    return List.copyOf(all);
  }

  /**
   * What must not be.
   *
   * @param destinations of each event, by its id
   */
  List<String> findings(List<Copy> delivered, Map<String, String> destinations) {
    List<String> findings = new ArrayList<>();
    for (Refusal refusal : all()) {
      long there = arrived(refusal, delivered, destinations, true);
      if (there > 0) {
        findings.add(
            "%d events arrived at a destination that refuses: %s".formatted(there, refusal));
      }
      long length = refusal.untilMillis() - refusal.fromMillis();
      if (length >= LEAST_MILLIS && arrived(refusal, delivered, destinations, false) == 0) {
        findings.add("one destination's refusal held up all others: " + refusal);
      }
    }
    return findings;
  }

  private static long arrived(
      Refusal refusal, List<Copy> delivered, Map<String, String> destinations, boolean there) {
    return delivered.stream()
        .filter(copy -> copy.atMillis() > refusal.fromMillis() + EFFECTIVE_MILLIS)
        .filter(copy -> copy.atMillis() < refusal.untilMillis())
        .filter(copy -> destinations.containsKey(copy.eventId()))
        .filter(copy -> refusal.destination().equals(destinations.get(copy.eventId())) == there)
        .count();
  }

  /** A line for each. */
  List<String> lines(List<Copy> delivered, Map<String, String> destinations) {
    List<String> lines = new ArrayList<>();
    for (Refusal refusal : all()) {
      String first =
          delivered.stream()
              .filter(copy -> copy.atMillis() >= refusal.untilMillis())
              .filter(copy -> refusal.destination().equals(destinations.get(copy.eventId())))
              .map(copy -> "%.1f s".formatted((copy.atMillis() - refusal.untilMillis()) / 1e3))
              .findFirst()
              .orElse("none");
      lines.add(
          "%s of %s for %.1f s: %d events elsewhere meanwhile; first one after the repair: %s"
              .formatted(
                  refusal.kind().label(),
                  refusal.destination(),
                  (refusal.untilMillis() - refusal.fromMillis()) / 1e3,
                  arrived(refusal, delivered, destinations, false),
                  first));
    }
    return lines;
  }

  /** Destinations by event id. */
  static Map<String, String> destinations(List<Copy> ledger, OutboxTable table) {
    Map<String, String> destinations = new HashMap<>(ledger.size() * 2);
    ledger.forEach(
        row -> destinations.put(row.eventId(), table.destination(Planned.key(row.key()))));
    return destinations;
  }
}

package io.waybill.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Business rows against the copies that a consumer received.
 *
 * @param committed changes in the ledger
 * @param delivered distinct committed changes that arrived
 * @param lost committed changes that did not arrive
 * @param ghosts distinct messages that tell of no committed change
 * @param orderViolations first copies that were not the next of their order
 * @param duplicates copies beyond the first
 */
record Reconciliation(
    int committed, int delivered, int lost, int ghosts, int orderViolations, int duplicates) {

  /** Whether nothing was lost, invented or reordered. */
  boolean clean() {
    return lost == 0 && ghosts == 0 && orderViolations == 0;
  }

  /**
   * Compares.
   *
   * @param ledger committed changes, in any order
   * @param copies messages in the order of their arrival
   */
  static Reconciliation of(List<Change> ledger, List<Change> copies) {
    Set<Change> committed = new HashSet<>(ledger);
    Set<Change> seen = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    int ghosts = 0;
    int violations = 0;
    for (Change copy : copies) {
      if (!seen.add(copy)) {
        continue;
      }
      if (!committed.contains(copy)) {
        ghosts++;
        continue;
      }
      Long before = last.get(copy.orderId());
      if (copy.revision() != (before == null ? 0 : before) + 1) {
        violations++;
      }
      last.merge(copy.orderId(), copy.revision(), Math::max);
    }
    int delivered = seen.size() - ghosts;
    return new Reconciliation(
        committed.size(),
        delivered,
        committed.size() - delivered,
        ghosts,
        violations,
        copies.size() - seen.size());
  }
}

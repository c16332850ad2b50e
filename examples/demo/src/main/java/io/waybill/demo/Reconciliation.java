package io.waybill.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Business rows against the copies that a consumer received.
 *
 * @param committed changes in the ledger
 * @param delivered distinct committed changes that arrived
 * @param skipped committed changes that operators gave up, and that did not arrive
 * @param lost committed changes that did not arrive though nobody gave them up
 * @param ghosts distinct messages that tell of no committed change, and correct none
 * @param orderViolations first copies that were not the next of their order
 * @param duplicates copies beyond the first
 */
record Reconciliation(
    int committed,
    int delivered,
    int skipped,
    int lost,
    int ghosts,
    int orderViolations,
    int duplicates) {

  /** Whether nothing was lost, invented or reordered. */
  boolean clean() {
    return lost == 0 && ghosts == 0 && orderViolations == 0;
  }

  /**
   * Compares.
   *
   * @param ledger committed changes, in any order
   * @param copies messages in the order of their arrival
   * @param repairs what operators decided
   */
  static Reconciliation of(List<Change> ledger, List<Change> copies, Repairs repairs) {
    Set<Change> committed = new HashSet<>(ledger);
    Set<Change> givenUp =
        ledger.stream()
            .filter(change -> repairs.givenUp().contains(change.eventId()))
            .collect(Collectors.toSet());
    Set<Change.Place> passed = givenUp.stream().map(Change::place).collect(Collectors.toSet());
    Set<Change> seen = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    int ghosts = 0;
    int corrections = 0;
    int violations = 0;
    for (Change copy : copies) {
      if (!seen.add(copy)) {
        continue;
      }
      if (repairs.corrected().contains(copy.eventId())) {
        corrections++;
        continue;
      }
      if (!committed.contains(copy)) {
        ghosts++;
        continue;
      }
      // Its place in the order was given up with it.
      if (givenUp.contains(copy)) {
        continue;
      }
      Change.Place next = new Change.Place(copy.orderId(), last.getOrDefault(copy.orderId(), 0L));
      do {
        next = next.next();
      } while (passed.contains(next));
      if (!copy.place().equals(next)) {
        violations++;
      }
      last.merge(copy.orderId(), copy.revision(), Math::max);
    }
    int delivered = seen.size() - ghosts - corrections;
    givenUp.removeAll(seen);
    return new Reconciliation(
        committed.size(),
        delivered,
        givenUp.size(),
        committed.size() - delivered - givenUp.size(),
        ghosts,
        violations,
        copies.size() - seen.size());
  }
}

package io.waybill.proof.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the ledger of committed business rows with every delivered copy. */
public final class Oracle {
  private static final int MOST_EXAMPLES = 10;

  private final Map<String, Copy> committed;
  private final Set<String> excused;
  private final List<String> examples = new ArrayList<>();

  private Oracle(List<Copy> committed, Set<String> excused) {
    this.committed = new HashMap<>(committed.size() * 2);
    committed.forEach(row -> this.committed.put(row.eventId(), row));
    this.excused = excused;
  }

  /**
   * Compares.
   *
   * @param committed every committed event, with its key, sequence and payload hash
   * @param delivered every delivered copy in the order of its arrival within its key
   * @param excused ids of events that are visibly parked, dead or held: not lost, and not missing
   *     in their key's order
   * @return the verdict
   */
  public static Verdict compare(List<Copy> committed, List<Copy> delivered, Set<String> excused) {
    return new Oracle(committed, excused).verdict(delivered);
  }

  private Verdict verdict(List<Copy> delivered) {
    Set<String> seen = new HashSet<>(delivered.size() * 2);
    Map<String, Long> last = new HashMap<>();
    long ghosts = 0;
    long altered = 0;
    long disorder = 0;
    long duplicates = 0;
    for (Copy copy : delivered) {
      Copy original = committed.get(copy.eventId());
      if (original == null) {
        ghosts++;
        note("ghost " + copy);
        continue;
      }
      if (!original.sha256().equals(copy.sha256())) {
        altered++;
        note("altered " + copy);
      }
      if (seen.add(copy.eventId())) {
        disorder += misplaced(original, last) ? 1 : 0;
      } else {
        duplicates++;
      }
    }
    long lost = lost(seen);
    return new Verdict(
        committed.size(), seen.size(), lost, ghosts, altered, disorder, duplicates, examples);
  }

  private boolean misplaced(Copy original, Map<String, Long> last) {
    Long before = last.put(original.key(), original.sequence());
    boolean misplaced = before != null && before > original.sequence();
    if (misplaced) {
      note("out of order " + original + " after " + before);
    }
    return misplaced;
  }

  private long lost(Set<String> seen) {
    long lost = 0;
    for (Copy row : committed.values()) {
      if (!seen.contains(row.eventId()) && !excused.contains(row.eventId())) {
        lost++;
        note("lost " + row);
      }
    }
    return lost;
  }

  private void note(String example) {
    if (examples.size() < MOST_EXAMPLES) {
      examples.add(example);
    }
  }
}

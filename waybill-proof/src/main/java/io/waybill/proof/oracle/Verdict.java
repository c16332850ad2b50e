package io.waybill.proof.oracle;

import java.util.List;

/**
 * What the oracle found.
 *
 * @param committed events whose business transaction is in the database
 * @param delivered distinct committed events that were delivered
 * @param lost committed events that were not delivered
 * @param ghosts delivered events that were never committed
 * @param altered copies that differ from what was committed
 * @param orderViolations first deliveries that came before one with a lower sequence of their key
 * @param duplicates copies beyond the first
 * @param examples some of the findings, for people
 */
public record Verdict(
    long committed,
    long delivered,
    long lost,
    long ghosts,
    long altered,
    long orderViolations,
    long duplicates,
    List<String> examples) {
  /**
   * Whether nothing was lost, invented, altered or reordered.
   *
   * @return true if so; duplicates don't count
   */
  public boolean clean() {
    return lost == 0 && ghosts == 0 && altered == 0 && orderViolations == 0;
  }
}

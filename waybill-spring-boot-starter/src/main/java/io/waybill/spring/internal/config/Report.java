package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects problems; those of a file come in the order of its lines. */
final class Report {
  private static final int MOST_PROBLEMS = 200;

  private final List<Placed> placed = new ArrayList<>();
  private final Set<Problem> seen = new HashSet<>();
  private final Set<String> keys = new HashSet<>();
  private final List<String> warnings = new ArrayList<>();

  private record Placed(Problem problem, int line) {}

  /**
   * Adds a problem, once, of a value that nothing more can be said about.
   *
   * @param key the key in its usual form
   */
  void add(String key, Problem problem, int line) {
    keys.add(key);
    add(problem, line);
  }

  /** Adds a problem, once. */
  void add(Problem problem, int line) {
    if (placed.size() < MOST_PROBLEMS && seen.add(problem)) {
      placed.add(new Placed(problem, line));
    }
  }

  /** Whether a value is wrong in itself at a key, above it or below it. */
  boolean about(String key) {
    return keys.stream().anyMatch(known -> within(known, key) || within(key, known));
  }

  private static boolean within(String outer, String inner) {
    return inner.equals(outer) || inner.startsWith(outer + ".") || inner.startsWith(outer + "[");
  }

  void warn(String warning) {
    if (!warnings.contains(warning)) {
      warnings.add(warning);
    }
  }

  List<Problem> problems() {
    return placed.stream()
        .sorted(Comparator.comparingInt(each -> each.line == 0 ? Integer.MAX_VALUE : each.line))
        .map(Placed::problem)
        .toList();
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }
}

package io.waybill.spring.internal.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a user may have meant. */
public final class Closest {
  private static final int MOST_EDITS = 3;

  private Closest() {}

  /**
   * The known name nearest to the given one.
   *
   * @param name name as it was written
   * @param known the existing names
   * @return a name that is near, if one is
   */
  public static Optional<String> to(String name, Collection<String> known) {
    return known.stream()
        .filter(candidate -> edits(name, candidate) <= Math.min(MOST_EDITS, name.length() / 2))
        .min(Comparator.comparingInt(candidate -> edits(name, candidate)));
  }

  /** What to say after a name that is not known. */
  static String hint(String name, Collection<String> known) {
    return to(name, known)
        .map(near -> "; did you mean '" + near + "'?")
        .orElseGet(() -> known.isEmpty() ? "" : "; known here: " + String.join(", ", known));
  }

  private static int edits(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      previous = row(a.charAt(i - 1), b, previous, i);
    }
    return previous[b.length()];
  }

  private static int[] row(char c, String b, int[] previous, int first) {
    int[] row = new int[b.length() + 1];
    row[0] = first;
    for (int j = 1; j <= b.length(); j++) {
      int replace = previous[j - 1] + (same(c, b.charAt(j - 1)) ? 0 : 1);
      row[j] = Math.min(replace, Math.min(previous[j], row[j - 1]) + 1);
    }
    return row;
  }

  private static boolean same(char a, char b) {
    boolean dashes = (a == '-' || a == '_') && (b == '-' || b == '_');
    return dashes || Character.toLowerCase(a) == Character.toLowerCase(b);
  }
}

package io.waybill.internal.jdbc.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unique key that was violated.
 *
 * @param key name of the key, without the table
 * @param entry the database's text about the values, or null
 */
public record UniqueViolation(String key, @Nullable String entry) {
  private static final int SHORTEST_CUT = 60;

  /**
   * Which of some ids it was.
   *
   * @param ids ids of the call
   * @return the id, or null if the database did not say
   */
  public @Nullable String named(List<String> ids) {
    if (ids.size() == 1) {
      return ids.get(0);
    }
    String said = entry;
    if (said == null) {
      return null;
    }
    if (ids.contains(said)) {
      return said;
    }
    // Long ones are cut, by MariaDB with dots in place of the rest.
    String start = said.endsWith("...") ? said.substring(0, said.length() - 3) : said;
    List<String> alike = ids.stream().filter(id -> id.startsWith(start)).toList();
    return start.length() >= SHORTEST_CUT && alike.size() == 1 ? alike.get(0) : null;
  }
}

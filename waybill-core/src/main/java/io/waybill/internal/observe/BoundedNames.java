package io.waybill.internal.observe;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the number of different names that become values of tags; the rest share one value.
 * Registries never drop the meter of a value. Thread-safe.
 */
public final class BoundedNames {
  /** The value that all names beyond the limit share. */
  public static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * Starts without names.
   *
   * @param most how many names keep their own value
   */
  public BoundedNames(int most) {
    this.most = most;
  }

  /**
   * Returns the tag value for a name, always the same for the same name.
   *
   * @param name the name
   * @return the name itself while there is room, otherwise {@link #OTHER}
   */
  public String of(String name) {
    if (known.contains(name)) {
      return name;
    }
    // Two threads may both see room: the bound is exceeded by the number of threads at most.
    if (known.size() >= most) {
      return OTHER;
    }
    known.add(name);
    return name;
  }
}

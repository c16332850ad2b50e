package io.waybill.observe;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names as values of tags, at most a fixed number of them; the rest share one. For registries keep
 * a meter for each value for ever. Thread-safe.
 */
public final class BoundedNames {
  /** What all names share for which there is no room. */
  public static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * None yet.
   *
   * @param most how many names keep their own
   */
  public BoundedNames(int most) {
    this.most = most;
  }

  /**
   * A name as the value of a tag. It never changes its answer.
   *
   * @param name the name
   * @return the name itself while there is room, else {@link #OTHER}
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

package io.waybill.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Destination names as tag values, at most a fixed number of them; the rest share one. */
final class BoundedNames {
  static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  BoundedNames(int most) {
    this.most = most;
  }

  /** The name itself while there is room, else {@link #OTHER}. A name never changes its answer. */
  String of(String name) {
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

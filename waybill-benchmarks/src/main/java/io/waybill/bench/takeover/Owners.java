package io.waybill.bench.takeover;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which session has which lane at a moment.
 *
 * @param byLane fence of each lane's session, 0 for a lane without one
 */
record Owners(Map<Integer, Long> byLane) {
  /** Copies the owners. */
  Owners {
    byLane = Map.copyOf(byLane);
  }

  /** Lanes that have changed hands since. */
  Set<Integer> movedSince(Owners before) {
    return byLane.entrySet().stream()
        .filter(lane -> !lane.getValue().equals(before.byLane.get(lane.getKey())))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether so many sessions share all lanes, none of which has ended. */
  boolean evenAmong(int sessions, Set<Long> ended) {
    Map<Long, Integer> shares = new HashMap<>();
    byLane.values().forEach(fence -> shares.merge(fence, 1, Integer::sum));
    int most = (byLane.size() + sessions - 1) / sessions;
    return shares.size() == sessions
        && shares.values().stream().allMatch(share -> share <= most)
        && shares.keySet().stream().noneMatch(fence -> fence == 0 || ended.contains(fence));
  }
}

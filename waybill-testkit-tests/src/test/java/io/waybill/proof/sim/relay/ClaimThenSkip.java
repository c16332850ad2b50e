package io.waybill.proof.sim.relay;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What anybody has read counts as processed. */
final class ClaimThenSkip extends Mutation {
  private final Set<Long> claimed = new HashSet<>();

  @Override
  boolean readable(SimRow row, long lastReturned) {
    return !claimed.contains(row.id);
  }

  @Override
  void returned(World world, List<SimRow> rows) {
    rows.forEach(row -> claimed.add(row.id));
  }
}

package io.waybill.internal.jdbc.table;

import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.Settlement;
import java.util.List;

/**
 * A settlement, divided where it has many rows that take a statement each. Its transaction keeps
 * the session from being renewed: on a slow server, thousands of them would outlast the lease. All
 * changes of a row stay together, and answers come last. Not thread-safe.
 */
final class SettlementParts {
  private final Settlement all;
  private boolean begun;
  private int failed;
  private int held;
  private boolean ended;

  SettlementParts(Settlement all) {
    this.all = all;
  }

  boolean any() {
    return !ended;
  }

  /**
   * The next part, in the order in which they are settled.
   *
   * @param most rows that take a statement each
   */
  Settlement next(int most) {
    Settlement part = part(most);
    boolean rowsLeft = failed < all.failed().size() || held < all.held().size();
    ended |= begun && !rowsLeft && answers().size() == 0;
    return part;
  }

  private Settlement part(int most) {
    if (!begun) {
      if (all.failed().size() + all.held().size() <= most) {
        ended = true;
        return all;
      }
      begun = true;
      Settlement others = others();
      if (others.size() > 0) {
        return others;
      }
    }
    if (failed < all.failed().size()) {
      int from = failed;
      failed = Math.min(all.failed().size(), from + most);
      return waiting(all.failed().subList(from, failed), List.of());
    }
    if (held < all.held().size()) {
      int from = held;
      held = Math.min(all.held().size(), from + most);
      return waiting(List.of(), all.held().subList(from, held));
    }
    ended = true;
    return answers();
  }

  private Settlement others() {
    return new Settlement(
        all.published(),
        all.recovered(),
        List.of(),
        List.of(),
        List.of(),
        all.forgotten(),
        all.setAside(),
        List.of());
  }

  private Settlement answers() {
    return new Settlement(
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        all.handled(),
        List.of(),
        List.of(),
        all.noted());
  }

  private static Settlement waiting(List<FailedRow> failed, List<OutboxRow> held) {
    return new Settlement(List.of(), List.of(), failed, held, List.of());
  }
}

package io.waybill.internal.jdbc.table;

import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A settlement, divided where it has many rows that take a statement each. Its transaction keeps
 * the session from being renewed: on a slow server, thousands of them would outlast the lease.
 */
final class SettlementParts {
  /** Rows that take a statement each, in one transaction. */
  static final int MOST = 500;

  private SettlementParts() {}

  /**
   * Divides a settlement. All changes of a row stay together, and answers come last.
   *
   * @param all the settlement
   * @return one or more, in the order in which they are settled
   */
  static List<Settlement> of(Settlement all) {
    if (all.failed().size() + all.held().size() <= MOST) {
      return List.of(all);
    }
    List<FailedRow> none = List.of();
    List<Settlement> parts = new ArrayList<>();
    parts.add(
        new Settlement(
            all.published(),
            all.recovered(),
            none,
            List.of(),
            List.of(),
            all.forgotten(),
            all.setAside(),
            none));
    few(all.failed()).forEach(few -> parts.add(waiting(few, List.of())));
    few(all.held()).forEach(few -> parts.add(waiting(none, few)));
    parts.add(
        new Settlement(
            List.of(), List.of(), none, List.of(), all.handled(), List.of(), none, all.noted()));
    return parts.stream().filter(part -> part.size() > 0).toList();
  }

  private static Settlement waiting(List<FailedRow> failed, List<OutboxRow> held) {
    return new Settlement(List.of(), List.of(), failed, held, List.of());
  }

  private static <T> List<List<T>> few(List<T> all) {
    return IntStream.rangeClosed(0, (all.size() - 1) / MOST)
        .mapToObj(i -> all.subList(i * MOST, Math.min(all.size(), (i + 1) * MOST)))
        .toList();
  }
}

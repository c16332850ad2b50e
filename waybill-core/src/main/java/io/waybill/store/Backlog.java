package io.waybill.store;

import io.waybill.message.EventKey;
import java.util.List;
import java.util.Map;

/**
 * What a new owner of lanes finds blocked in them.
 *
 * @param failed rows whose last attempt failed: heads of blocked keys
 * @param held number of held rows per key
 */
public record Backlog(List<FailedRow> failed, Map<EventKey, Long> held) {
  /** Nothing blocked. */
  public static final Backlog NONE = new Backlog(List.of(), Map.of());
}

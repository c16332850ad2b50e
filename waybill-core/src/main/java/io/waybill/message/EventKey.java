package io.waybill.message;

import java.util.Objects;

/**
 * The ordering key of an event: events of one key are delivered in the order of their rows.
 *
 * @param aggregateType kind of business object, for example {@code order}
 * @param aggregateId identity of the object within its kind
 */
public record EventKey(String aggregateType, String aggregateId) {
  /** Checks that both parts are given. */
  public EventKey {
    Objects.requireNonNull(aggregateType, "aggregateType");
    Objects.requireNonNull(aggregateId, "aggregateId");
  }

  @Override
  public String toString() {
    return aggregateType + "/" + aggregateId;
  }
}

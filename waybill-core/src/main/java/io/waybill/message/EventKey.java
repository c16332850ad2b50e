package io.waybill.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  // Asked several times for each event: what a record has by default costs three times as much.
  @Override
  public int hashCode() {
    return 31 * aggregateType.hashCode() + aggregateId.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof EventKey key
            && aggregateId.equals(key.aggregateId)
            && aggregateType.equals(key.aggregateType));
  }

  @Override
  public String toString() {
    return aggregateType + "/" + aggregateId;
  }
}

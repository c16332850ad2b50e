package io.waybill.internal.inbox.attempt;

import io.waybill.broker.Delivery;
import io.waybill.message.ReceivedEvent;
import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event on its way through the inbox: a delivery of the broker or a deferred event.
 *
 * @param dedupeKey its identity in the inbox tables
 * @param event the event, null for a deferred event that can no longer be decoded
 * @param plan what to do with it
 * @param delivery the broker's delivery, null for a deferred event
 * @param deferred the entry of the table, null for a delivery
 */
public record Task(
    DedupeKey dedupeKey,
    @Nullable ReceivedEvent event,
    Plan plan,
    @Nullable Delivery delivery,
    @Nullable DeferredEvent deferred) {
  /**
   * The event as it is written to the table of deferred events.
   *
   * @param attempts attempts that have failed
   * @param delayMillis time until the next one
   * @param failure the last failure, or empty
   * @param deadReason why it is given up, or null
   * @return the event to be written
   */
  public DeferredEvent put(
      int attempts, long delayMillis, String failure, @Nullable String deadReason) {
    if (deferred != null) {
      return new DeferredEvent(
          dedupeKey,
          deferred.body(),
          deferred.headers(),
          deferred.timestampMicros(),
          attempts,
          delayMillis,
          failure,
          deadReason,
          false);
    }
    Delivery from = Objects.requireNonNull(delivery, "delivery");
    return new DeferredEvent(
        dedupeKey,
        from.body(),
        Origin.noted(from),
        from.timestampMicros(),
        attempts,
        delayMillis,
        failure,
        deadReason,
        false);
  }
}

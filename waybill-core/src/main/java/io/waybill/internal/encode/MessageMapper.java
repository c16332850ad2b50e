package io.waybill.internal.encode;

import io.waybill.store.OutboxRow;

/**
 * Makes a row's message: finds the route, then encodes. Pure, thread-safe, and never throws for a
 * row.
 */
@FunctionalInterface
public interface MessageMapper {
  /**
   * Makes the message of a row.
   *
   * @param row the row
   * @param sendId identifies the send
   * @return the message, or the reason why there is none
   */
  Mapped map(OutboxRow row, long sendId);
}

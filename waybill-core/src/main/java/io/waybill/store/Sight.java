package io.waybill.store;

import java.time.Duration;

/** What the inbox tables know of an event that is about to be handled. */
public sealed interface Sight {
  /** Seen for the first time: the caller handles it in this transaction. */
  record Fresh() implements Sight {}

  /**
   * Processed before: nothing to do.
   *
   * @param age time since then
   */
  record Seen(Duration age) implements Sight {}

  /** Another event of its key, or it itself, is deferred: it has to go behind. */
  record Behind() implements Sight {}

  /** It was deferred and has gone to somebody else. */
  record Lost() implements Sight {}
}

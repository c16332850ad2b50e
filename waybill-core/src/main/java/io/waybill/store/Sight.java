package io.waybill.store;

import java.time.Duration;

/** The state in the inbox tables of an event that is about to be handled. */
public sealed interface Sight {
  /** Seen for the first time: the caller handles it in this transaction. */
  record Fresh() implements Sight {}

  /**
   * Processed before: nothing to do.
   *
   * @param age time since then
   */
  record Seen(Duration age) implements Sight {}

  /** The event itself or another event of its key is deferred: it must wait behind. */
  record Behind() implements Sight {}

  /** It was deferred, and another owner has claimed it. */
  record Lost() implements Sight {}
}

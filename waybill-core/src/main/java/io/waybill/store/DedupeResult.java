package io.waybill.store;

import java.time.Duration;

/** The state in the inbox tables of an event that is about to be handled. */
public sealed interface DedupeResult {
  /** Seen for the first time: the caller handles it in this transaction. */
  record Fresh() implements DedupeResult {}

  /**
   * Processed before: nothing to do.
   *
   * @param age time since then
   */
  record Seen(Duration age) implements DedupeResult {}

  /** The event itself or another event of its key is deferred: it must wait behind. */
  record Behind() implements DedupeResult {}

  /** It was deferred, and another owner has claimed it. */
  record Lost() implements DedupeResult {}
}

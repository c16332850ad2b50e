package io.waybill.retry;

/** What to do after a failed attempt. */
public sealed interface Decision {
  /**
   * Try again.
   *
   * @param delayMillis how long to wait, 0 or more
   */
  record RetryAt(long delayMillis) implements Decision {}

  /** The limit is reached: park or bury. */
  record GiveUp() implements Decision {}
}

package io.waybill.policy;

/** The next step after a failed attempt. */
public sealed interface Decision {
  /**
   * Try again.
   *
   * @param delayMillis how long to wait, 0 or more
   */
  record RetryAt(long delayMillis) implements Decision {}

  /** The limit is reached: park the event or declare it dead. */
  record GiveUp() implements Decision {}
}

package io.waybill.admin;

/**
 * Numbers for dashboards. Events are counted up to {@link #MOST}: a number that is as high says
 * that there are so many at least.
 *
 * @param retry events that failed and wait for their next attempt
 * @param parked events that wait for an operator
 * @param dead dead events
 * @param held events behind a blocked key or destination
 * @param requests open requests of operators
 * @param oldestUnpublishedMillis age of the oldest event that could have been published by now, 0
 *     if there is none; ignores parked, dead and delayed events
 */
public record Counts(
    long retry, long parked, long dead, long held, long requests, long oldestUnpublishedMillis) {
  /** Number at which counting stops. */
  public static final int MOST = 10_000;
}

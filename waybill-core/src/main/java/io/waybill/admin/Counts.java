package io.waybill.admin;

/**
 * Numbers for dashboards.
 *
 * @param retry events that failed and wait for their next attempt
 * @param parked events that wait for an operator
 * @param dead events given up
 * @param held events behind a blocked key or destination
 * @param requests requests of operators not yet carried out
 * @param oldestUnpublishedMillis age of the oldest event that could have been published by now, 0
 *     if there is none; parked, dead and delayed events do not count
 */
public record Counts(
    long retry, long parked, long dead, long held, long requests, long oldestUnpublishedMillis) {}

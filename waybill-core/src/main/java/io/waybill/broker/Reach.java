package io.waybill.broker;

/**
 * How far a lane is.
 *
 * @param from whatever the broker has from this position on was or will be delivered since the lane
 *     was assigned, or read again
 * @param done everything before this position is acknowledged
 * @param next position of the next message to be delivered
 */
public record Reach(long from, long done, long next) {}

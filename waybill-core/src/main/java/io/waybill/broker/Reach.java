package io.waybill.broker;

/**
 * How far a lane is.
 *
 * @param done everything before this position is acknowledged
 * @param next position of the next message to be delivered
 */
public record Reach(long done, long next) {}

package io.waybill.broker;

/**
 * The progress of a lane.
 *
 * @param from first position of this assignment or rewind: all messages from here on were or will
 *     be delivered since then
 * @param done everything before this position is acknowledged
 * @param next position of the next message to be delivered
 */
public record Reach(long from, long done, long next) {}

package io.waybill.store;

/**
 * Events of the whole outbox that do not flow, each number counted up to a bound.
 *
 * @param parked events that wait for an operator
 * @param dead dead events
 * @param held events behind a blocked key or a paused destination
 */
public record Tally(long parked, long dead, long held) {}

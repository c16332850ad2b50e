package io.waybill.store;

/**
 * One relay's membership in an outbox, from joining to leaving or to the end of its lease.
 *
 * @param fence grows with every session of the outbox; every settling statement carries it
 * @param relay name of the relay, for people
 */
public record Session(long fence, String relay) {}

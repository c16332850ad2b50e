package io.waybill.store;

import java.util.Set;

/**
 * The owners of lanes, as one look at the database shows them.
 *
 * @param alive whether the session still exists; false means that it was fenced
 * @param mine lanes that the session owns
 * @param sessions number of live sessions, this one included
 * @param free lanes without an owner
 * @param lanes number of lanes of the outbox
 */
public record LaneView(
    boolean alive, Set<Integer> mine, int sessions, Set<Integer> free, int lanes) {}

package io.waybill.admin;

import java.time.Instant;

/**
 * A running relay.
 *
 * @param fence its fence
 * @param relay its name
 * @param lanes number of lanes that it owns
 * @param joinedAt when it joined
 * @param leaseMillis time until its lease ends; negative if it has ended
 */
public record SessionView(
    long fence, String relay, int lanes, Instant joinedAt, long leaseMillis) {}

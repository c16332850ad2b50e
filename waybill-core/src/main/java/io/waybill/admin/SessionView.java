package io.waybill.admin;

import io.waybill.store.FailingDestination;
import java.time.Instant;
import java.util.List;

/**
 * A running relay.
 *
 * @param fence its fence
 * @param relay its name
 * @param host name of its machine or container; empty if it did not tell
 * @param version its version of Waybill; empty if it did not tell
 * @param configuration the same short text for relays with the same configuration; empty if it did
 *     not tell
 * @param lanes number of lanes that it owns
 * @param joinedAt when it joined
 * @param renewedAt when it last renewed its lease
 * @param leaseMillis time until its lease ends; negative if it has ended
 * @param failing destinations that took no events from it at its last renewal, a few at most; none
 *     if its lease has ended
 */
public record SessionView(
    long fence,
    String relay,
    String host,
    String version,
    String configuration,
    int lanes,
    Instant joinedAt,
    Instant renewedAt,
    long leaseMillis,
    List<FailingDestination> failing) {}

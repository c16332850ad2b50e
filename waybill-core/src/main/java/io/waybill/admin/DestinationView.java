package io.waybill.admin;

import java.time.Instant;

/**
 * A destination that an operator has paused or resumed.
 *
 * @param name its name
 * @param paused whether it is paused now
 * @param reason why, in the operator's words
 * @param changedBy who changed it last
 * @param changedAt when
 */
public record DestinationView(
    String name, boolean paused, String reason, String changedBy, Instant changedAt) {}

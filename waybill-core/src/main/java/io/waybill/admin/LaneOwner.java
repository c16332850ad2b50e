package io.waybill.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lane and its owner.
 *
 * @param lane its number
 * @param fence fence of the owner, or null if it is free
 * @param relay name of the owner, or null if it is free
 * @param changedAt when its owner last changed
 */
public record LaneOwner(
    int lane, @Nullable Long fence, @Nullable String relay, Instant changedAt) {}

package io.waybill.admin;

import io.waybill.store.TakeOver;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lane and its owner.
 *
 * @param lane its number
 * @param fence fence of the owner, or null if it is free
 * @param relay name of the owner, or null if it is free
 * @param changedAt when its owner last changed
 * @param taken the last time that it was taken from a dead relay, or null if it never was
 */
public record LaneOwner(
    int lane,
    @Nullable Long fence,
    @Nullable String relay,
    Instant changedAt,
    @Nullable Taken taken) {
  /**
   * A lane was taken from a dead relay.
   *
   * @param from name of the relay
   * @param cause how it was found dead
   * @param at when
   */
  public record Taken(String from, TakeOver.Cause cause, Instant at) {}
}

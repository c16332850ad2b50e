package io.waybill.internal.jdbc.operator;

import java.time.Instant;

/**
 * What relays did in one minute, or in several that are added up.
 *
 * @param at when the time begins
 * @param destination name of a destination, {@link #OUTBOX}, or {@link #OTHERS}
 * @param published events that were confirmed and marked
 * @param refused attempts that the broker refused, and that are repeated
 * @param unanswered attempts whose outcome is not known, and that are repeated
 * @param parked events that were parked
 * @param dead events that became dead
 * @param latencyMicros from creation to confirmation, of all published events, microseconds
 * @param latencyMaxMicros the longest of these
 * @param oldestMillis of {@link #OUTBOX}: age of the oldest event that waited at the end,
 *     milliseconds
 */
public record Rollup(
    Instant at,
    String destination,
    long published,
    long refused,
    long unanswered,
    long parked,
    long dead,
    long latencyMicros,
    long latencyMaxMicros,
    long oldestMillis) {
  /** The outbox as a whole, and events that no route gave a destination. */
  public static final String OUTBOX = "";

  /** All destinations that have no rows of their own. */
  public static final String OTHERS = "*";

  /** Most destinations with rows of their own. */
  public static final int MOST_DESTINATIONS = 200;

  /** Nothing was done. */
  public static Rollup none(Instant at, String destination) {
    return new Rollup(at, destination, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Both together, at the time of this one; the oldest event is that of the later time. */
  public Rollup plus(Rollup other) {
    boolean same = other.at.equals(at);
    return new Rollup(
        at,
        destination,
        published + other.published,
        refused + other.refused,
        unanswered + other.unanswered,
        parked + other.parked,
        dead + other.dead,
        latencyMicros + other.latencyMicros,
        Math.max(latencyMaxMicros, other.latencyMaxMicros),
        same ? Math.max(oldestMillis, other.oldestMillis) : other.oldestMillis);
  }

  /** The same, of another time or destination. */
  public Rollup as(Instant time, String name) {
    return new Rollup(
        time,
        name,
        published,
        refused,
        unanswered,
        parked,
        dead,
        latencyMicros,
        latencyMaxMicros,
        oldestMillis);
  }

  /** Attempts without success, and events that were given up. */
  public long failed() {
    return refused + unanswered + parked + dead;
  }

  /** Mean time from creation to confirmation, milliseconds; 0 if nothing was published. */
  public long latencyMillis() {
    return published == 0 ? 0 : latencyMicros / published / 1_000;
  }

  /** The longest time from creation to confirmation, milliseconds. */
  public long latencyMaxMillis() {
    return latencyMaxMicros / 1_000;
  }
}

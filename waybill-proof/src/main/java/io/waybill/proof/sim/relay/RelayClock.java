package io.waybill.proof.sim.relay;

/**
 * A relay's monotonic clock: its own origin, and a rate that is a little off. It can stand still
 * with its process, as that of a suspended machine does.
 */
final class RelayClock {
  private static final long MILLION = 1_000_000L;

  private final World world;
  private final long driftPpm;
  private long origin;
  private long stoppedAt = -1;

  RelayClock(World world) {
    this.world = world;
    this.origin = world.dice.millis(0, 1_000_000);
    this.driftPpm = world.swarm.relay.clockDrift() ? world.dice.between(-20_000, 20_000) : 0;
  }

  long now() {
    long time = world.time.now();
    return origin + time + time / MILLION * driftPpm;
  }

  void stop() {
    stoppedAt = now();
  }

  void goOn() {
    if (stoppedAt >= 0) {
      world.seen.rare(RareState.WOKE_WITH_A_STOPPED_CLOCK);
      origin -= now() - stoppedAt;
      stoppedAt = -1;
    }
  }

  /** When this clock will show that. */
  long trueTime(long local) {
    long ahead = local - now();
    return world.time.now() + ahead - ahead / MILLION * driftPpm;
  }
}

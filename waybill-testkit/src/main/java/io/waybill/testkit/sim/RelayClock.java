package io.waybill.testkit.sim;

/** A relay's monotonic clock: its own origin, and a rate that is a little off. */
final class RelayClock {
  private static final long MILLION = 1_000_000L;

  private final World world;
  private final long origin;
  private final long driftPpm;

  RelayClock(World world) {
    this.world = world;
    this.origin = world.dice.millis(0, 1_000_000);
    this.driftPpm = world.swarm.relay.clockDrift() ? world.dice.between(-20_000, 20_000) : 0;
  }

  long now() {
    long time = world.time.now();
    return origin + time + time / MILLION * driftPpm;
  }

  /** When this clock will show that. */
  long trueTime(long local) {
    long ahead = local - now();
    return world.time.now() + ahead - ahead / MILLION * driftPpm;
  }
}

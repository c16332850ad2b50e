package io.waybill.proof.sim;

import java.util.List;

/**
 * Runs inboxes against a simulated database and broker. The same seed gives the same run. Instances
 * are not shared between threads; different seeds may run on different threads.
 */
public final class InboxSimulation {
  private InboxSimulation() {}

  /**
   * Runs one seed.
   *
   * @param seed the seed
   * @return what it showed
   */
  public static Simulation.Result run(long seed) {
    return run(seed, new InboxMutation(), false, new InboxTallies());
  }

  static Simulation.Result run(
      long seed, InboxMutation mutation, boolean tracing, InboxTallies sum) {
    InboxWorld world = new InboxWorld(seed, mutation, tracing);
    String violation = null;
    try {
      new InboxRun(world).play();
    } catch (Violation broken) {
      violation = broken.getMessage();
    } catch (RuntimeException unexpected) {
      violation = "exception: " + unexpected + " at " + List.of(unexpected.getStackTrace());
    }
    sum.add(world.tallies);
    List<String> trace = world.trace.lines();
    if (tracing) {
      trace.add(0, world.swarm.toString());
    }
    return new Simulation.Result(
        seed,
        world.trace.hash(),
        world.swarm.events,
        world.time.steps(),
        world.time.now(),
        violation,
        trace);
  }
}

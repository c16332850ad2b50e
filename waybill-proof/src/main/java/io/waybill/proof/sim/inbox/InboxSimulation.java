package io.waybill.proof.sim.inbox;

import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Violation;
import java.util.List;
import java.util.Set;

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
  public static Result run(long seed) {
    return run(seed, false, false, new InboxTallies());
  }

  /**
   * Runs one seed.
   *
   * @param seed the seed
   * @param failovers whether the database fails over wherever it may
   * @param tracing whether the result has a trace
   * @param sum gets what the run went through
   * @return what it showed
   */
  public static Result run(long seed, boolean failovers, boolean tracing, InboxTallies sum) {
    return run(seed, failovers ? new Failovers() : new InboxMutation(), tracing, sum);
  }

  /**
   * States and faults that are never reached where the database always fails over.
   *
   * @return both kinds
   */
  public static Set<Enum<?>> withoutFailovers() {
    return InboxStandby.WITHOUT;
  }

  static Result run(long seed, InboxMutation mutation, boolean tracing, InboxTallies sum) {
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
    return new Result(
        seed,
        world.trace.hash(),
        world.swarm.events,
        world.time.steps(),
        world.time.now(),
        violation,
        trace);
  }
}

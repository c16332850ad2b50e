package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Violation;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs relays against a simulated database and broker. The same seed gives the same run. Instances
 * are not shared between threads; different seeds may run on different threads.
 */
public final class Simulation {
  private Simulation() {}

  /**
   * Runs one seed.
   *
   * @param seed the seed
   * @return what it showed
   */
  public static Result run(long seed) {
    return run(seed, false, new Tallies());
  }

  /**
   * Runs one seed.
   *
   * @param seed the seed
   * @param tracing whether the result has a trace
   * @param sum gets what the run went through
   * @return what it showed
   */
  public static Result run(long seed, boolean tracing, Tallies sum) {
    return run(seed, new Mutation(), tracing, sum);
  }

  /**
   * Runs a long time of one kind of refusal, with nothing else going wrong.
   *
   * @param why how destinations refuse
   * @param nanos virtual time
   * @param seed the seed
   * @param summary gets what was seen of the refusals
   * @return what the run showed
   */
  public static Result refusing(Refusal why, long nanos, long seed, Consumer<String> summary) {
    World world = new World(seed, new LongRefusal(why, nanos, true), new Mutation(), false);
    Result result = run(seed, world, new Tallies());
    RefusalWatch watch = world.refusals;
    summary.accept(watch == null ? "" : watch.summary());
    return result;
  }

  static Result run(long seed, Mutation mutation, boolean tracing, Tallies sum) {
    return run(seed, new World(seed, mutation, tracing), sum);
  }

  private static Result run(long seed, World world, Tallies sum) {
    String violation = null;
    try {
      new Run(world).play();
    } catch (Violation broken) {
      violation = broken.getMessage();
    } catch (RuntimeException unexpected) {
      violation = "exception: " + unexpected + " at " + List.of(unexpected.getStackTrace());
    }
    sum.add(world.seen.tallies());
    List<String> trace = world.seen.trace.lines();
    if (!trace.isEmpty()) {
      trace.add(0, world.swarm.toString());
    }
    return new Result(
        seed,
        world.seen.trace.hash(),
        world.database.rows().size(),
        world.time.steps(),
        world.time.now(),
        violation,
        trace);
  }
}

package io.waybill.proof.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs relays against a simulated database and broker. The same seed gives the same run. Instances
 * are not shared between threads; different seeds may run on different threads.
 */
public final class Simulation {
  private Simulation() {}

  /**
   * What one run showed.
   *
   * @param seed the seed
   * @param hash over everything that happened, in order
   * @param events rows written by producers, committed or not
   * @param steps tasks carried out
   * @param virtualNanos simulated time
   * @param violation the broken promise, or null
   * @param trace the last of what happened, empty unless asked for
   */
  public record Result(
      long seed,
      long hash,
      int events,
      long steps,
      long virtualNanos,
      @Nullable String violation,
      List<String> trace) {}

  /**
   * Runs one seed.
   *
   * @param seed the seed
   * @return what it showed
   */
  public static Result run(long seed) {
    return run(seed, new Mutation(), false, new Tallies());
  }

  static Result run(long seed, Mutation mutation, boolean tracing, Tallies sum) {
    return run(seed, new World(seed, mutation, tracing), sum);
  }

  static Result run(long seed, World world, Tallies sum) {
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

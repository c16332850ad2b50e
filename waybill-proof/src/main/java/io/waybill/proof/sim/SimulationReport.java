package io.waybill.proof.sim;

import io.waybill.proof.sim.relay.Simulation;
import io.waybill.proof.sim.relay.Tallies;
import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Tally;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sums up a suite of runs and prints what they went through and broke. Thread-safe. */
final class SimulationReport {
  private static final int TRACE_LINES = 120;

  private final PrintStream out;
  private final int cores;
  private final Tallies tallies = new Tallies();
  private final List<Result> broken = new ArrayList<>();
  private long seeds;
  private long events;
  private long steps;
  private long virtualNanos;
  // Of all runs, in any order.
  private long digest;

  /** For runs on so many threads. */
  SimulationReport(PrintStream out, int threads) {
    this.out = out;
    this.cores = Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /** Returns the number of runs so far. */
  synchronized long add(Result result) {
    seeds++;
    events += result.events();
    steps += result.steps();
    virtualNanos += result.virtualNanos();
    digest += result.hash();
    if (result.violation() != null) {
      broken.add(result);
    }
    return seeds;
  }

  synchronized void add(Tallies more) {
    tallies.add(more);
  }

  synchronized void rate(long nanos) {
    double seconds = nanos / 1e9;
    out.printf(
        "%,d seeds in %.0f s, %.0f seeds/s, %.0f per core, %.0f times real time, %d violations%n",
        seeds,
        seconds,
        seeds / seconds,
        seeds / seconds / cores,
        virtualNanos / 1e9 / seconds,
        broken.size());
  }

  /** Returns whether the suite passed. */
  synchronized boolean print(boolean wantsAllStates, int shown) {
    out.println("rare states:");
    boolean allReached = print(tallies.states());
    out.println("faults:");
    allReached &= print(tallies.faults());
    if (!broken.isEmpty()) {
      printBroken(shown);
    }
    if (wantsAllStates && !allReached) {
      out.println("a rare state or fault never occurred: these runs show nothing about it");
    }
    out.printf(
        "%,d seeds, %,d events, %,d faults, %,d steps, %.1f h of simulated time, digest %016x%n",
        seeds, events, tallies.faults().sum(), steps, virtualNanos / 3.6e12, digest);
    out.printf("%d violations%n", broken.size());
    return broken.isEmpty() && (allReached || !wantsAllStates);
  }

  private <E extends Enum<E>> boolean print(Tally<E> tally) {
    boolean all = true;
    for (E thing : tally.things()) {
      long count = tally.of(thing);
      out.printf("  %-40s %,14d%n", thing.name().toLowerCase(Locale.ROOT), count);
      all &= count > 0;
    }
    return all;
  }

  private void printBroken(int shown) {
    Map<String, Integer> kinds = new TreeMap<>();
    broken.sort(Comparator.comparingLong(Result::seed));
    for (Result result : broken) {
      kinds.merge(String.valueOf(result.violation()).split(":", 2)[0], 1, Integer::sum);
    }
    broken.stream()
        .limit(shown)
        .forEach(r -> out.println("seed " + r.seed() + ": " + r.violation()));
    out.println("violations by kind: " + kinds);
    long seed = broken.get(0).seed();
    Simulation.run(seed, true, new Tallies()).print(out, TRACE_LINES);
  }
}

package io.waybill.testkit.sim;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Prints what a suite of runs reached and broke. */
final class SimulationReport {
  private final PrintStream out;
  private final RareStates rare;
  private final List<Simulation.Result> broken;

  SimulationReport(PrintStream out, RareStates rare, List<Simulation.Result> broken) {
    this.out = out;
    this.rare = rare;
    this.broken = broken;
  }

  /** Returns whether the suite passed. */
  boolean print(long seeds, boolean wantsAllStates, int shown) {
    boolean allReached = true;
    for (RareState state : RareState.values()) {
      long count = rare.count(state);
      out.printf("  %-36s %,12d%n", state.name().toLowerCase(Locale.ROOT), count);
      allReached &= count > 0;
    }
    Map<String, Integer> kinds = new TreeMap<>();
    broken.sort(Comparator.comparingLong(Simulation.Result::seed));
    for (Simulation.Result result : broken) {
      kinds.merge(String.valueOf(result.violation()).split(":", 2)[0], 1, Integer::sum);
    }
    broken.stream()
        .limit(shown)
        .forEach(r -> out.println("seed " + r.seed() + ": " + r.violation()));
    if (!broken.isEmpty()) {
      out.println("violations by kind: " + kinds);
      long seed = broken.get(0).seed();
      Simulate.print(
          out, Simulation.run(seed, new Mutation(), true, new RareStates()), Simulate.traceLines());
    }
    if (wantsAllStates && !allReached) {
      out.println("a rare state was never reached: these runs show nothing about it");
    }
    out.printf("%,d seeds, %d violations%n", seeds, broken.size());
    return broken.isEmpty() && (allReached || !wantsAllStates);
  }
}

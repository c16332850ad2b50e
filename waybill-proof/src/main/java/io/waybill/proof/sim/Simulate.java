package io.waybill.proof.sim;

import io.waybill.proof.sim.relay.Simulation;
import io.waybill.proof.sim.relay.Tallies;
import io.waybill.proof.sim.seed.Result;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

/** The command behind {@code ./simulate}. */
public final class Simulate {
  private static final int SHOWN = 10;
  private static final int WHOLE_TRACE = 100_000;

  private final Options options;
  private final AtomicLong next;
  private final SimulationReport report;
  private final long started = System.nanoTime();

  private record Options(long seeds, long first, int threads, boolean trace) {
    static Options of(String[] args) {
      long seeds = 10_000;
      long first = 1;
      int threads = Runtime.getRuntime().availableProcessors();
      boolean trace = false;
      for (int i = 0; i < args.length; i++) {
        switch (args[i]) {
          case "--seeds" -> seeds = Long.parseLong(args[++i]);
          case "--seed" -> first = Long.parseLong(args[++i]);
          case "--threads" -> threads = Integer.parseInt(args[++i]);
          case "--trace" -> trace = true;
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
      return new Options(seeds, first, Math.max(1, threads), trace);
    }
  }

  private Simulate(Options options, PrintStream out) {
    this.options = options;
    this.next = new AtomicLong(options.first());
    this.report = new SimulationReport(out, options.threads());
  }

  /**
   * Runs seeds and prints what they went through and broke. What is printed of the same seeds is
   * the same whatever the number of threads, except for the lines that name a rate.
   *
   * @param args {@code --seeds N} (default 10,000), {@code --seed S}, the first one (default 1),
   *     {@code --threads T} (default: one for each processor); {@code --trace} prints one seed's
   *     whole trace instead
   * @throws InterruptedException if interrupted while the runs go on
   */
  public static void main(String[] args) throws InterruptedException {
    Options options;
    try {
      options = Options.of(args);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      System.err.println(
          "usage: simulate [--seeds N] [--seed S] [--threads T] [--trace]; " + e.getMessage());
      System.exit(2);
      return;
    }
    if (options.trace()) {
      Result run = Simulation.run(options.first(), true, new Tallies());
      run.print(System.out, WHOLE_TRACE);
      return;
    }
    System.exit(new Simulate(options, System.out).run() ? 0 : 1);
  }

  private boolean run() throws InterruptedException {
    Workers.run(options.threads(), this::work);
    report.rate(System.nanoTime() - started);
    return report.print(options.seeds() >= 1_000, SHOWN);
  }

  private void work() {
    Tallies mine = new Tallies();
    long end = options.first() + options.seeds();
    for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
      long done = report.add(Simulation.run(seed, false, mine));
      if (done % Math.max(1000, options.seeds() / 20) == 0) {
        report.rate(System.nanoTime() - started);
      }
    }
    report.add(mine);
  }
}

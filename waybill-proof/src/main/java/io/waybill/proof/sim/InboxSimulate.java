package io.waybill.proof.sim;

import io.waybill.proof.sim.inbox.InboxSimulation;
import io.waybill.proof.sim.inbox.InboxTallies;
import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Tally;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The command behind {@code ./simulate --inbox}. */
public final class InboxSimulate {
  private static final int TRACE_LINES = 150;
  private static final int WHOLE_TRACE = 100_000;

  private final long first;
  private final long seeds;
  private final AtomicLong next;
  private final boolean failovers;
  private final InboxTallies tallies = new InboxTallies();
  private final List<Result> broken = new ArrayList<>();
  private long done;
  private long events;
  private long digest;
  private long virtualNanos;

  private InboxSimulate(long first, long seeds, boolean failovers) {
    this.failovers = failovers;
    this.first = first;
    this.seeds = seeds;
    this.next = new AtomicLong(first);
  }

  /**
   * Runs seeds and prints what they went through and broke.
   *
   * @param args {@code --seeds N} (default 10,000), {@code --seed S}, the first one (default 1),
   *     {@code --threads T} (default: one for each processor); {@code --trace} prints one seed's
   *     whole trace instead; {@code --failovers} lets the database fail over in all runs with
   *     partitions
   * @throws InterruptedException if interrupted while the runs go on
   */
  public static void main(String[] args) throws InterruptedException {
    long seeds = 10_000;
    long first = 1;
    int threads = Runtime.getRuntime().availableProcessors();
    boolean trace = false;
    boolean failovers = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--seeds" -> seeds = Long.parseLong(args[++i]);
        case "--seed" -> first = Long.parseLong(args[++i]);
        case "--threads" -> threads = Math.max(1, Integer.parseInt(args[++i]));
        case "--trace" -> trace = true;
        case "--failovers" -> failovers = true;
        default -> {
          System.err.println(
              "usage: simulate --inbox [--seeds N] [--seed S] [--threads T] [--trace]"
                  + " [--failovers]; unknown option "
                  + args[i]);
          System.exit(2);
        }
      }
    }
    if (trace) {
      traced(first, failovers).print(System.out, WHOLE_TRACE);
      return;
    }
    InboxSimulate suite = new InboxSimulate(first, seeds, failovers);
    Workers.run(threads, suite::work);
    System.exit(suite.print(System.out) ? 0 : 1);
  }

  private static Result traced(long seed, boolean failovers) {
    return InboxSimulation.run(seed, failovers, true, new InboxTallies());
  }

  private void work() {
    InboxTallies mine = new InboxTallies();
    for (long seed = next.getAndIncrement(); seed < first + seeds; seed = next.getAndIncrement()) {
      add(InboxSimulation.run(seed, failovers, false, mine));
    }
    synchronized (this) {
      tallies.add(mine);
    }
  }

  private synchronized void add(Result result) {
    events += result.events();
    digest += result.hash();
    virtualNanos += result.virtualNanos();
    if (result.violation() != null) {
      broken.add(result);
      System.out.println("seed " + result.seed() + ": " + result.violation());
    }
    if (++done % Math.max(1_000, seeds / 20) == 0) {
      System.out.printf("%,d of %,d seeds, %d violations%n", done, seeds, broken.size());
    }
  }

  private synchronized boolean print(PrintStream out) {
    out.println("rare states:");
    boolean all = print(out, tallies.states());
    out.println("faults:");
    all &= print(out, tallies.faults());
    broken.sort(Comparator.comparingLong(Result::seed));
    if (!broken.isEmpty()) {
      traced(broken.get(0).seed(), failovers).print(out, TRACE_LINES);
    }
    boolean wantsAll = seeds >= 1_000;
    if (wantsAll && !all) {
      out.println("a rare state or fault never occurred: these runs show nothing about it");
    }
    out.printf(
        "%,d seeds, %,d events, %,d faults, %.1f h of simulated time, digest %016x%n%d violations%n",
        seeds, events, tallies.faults().sum(), virtualNanos / 3.6e12, digest, broken.size());
    return broken.isEmpty() && (all || !wantsAll);
  }

  private <E extends Enum<E>> boolean print(PrintStream out, Tally<E> tally) {
    Set<Enum<?>> elsewhere = failovers ? InboxSimulation.withoutFailovers() : Set.of();
    boolean all = true;
    for (E thing : tally.things()) {
      long count = tally.of(thing);
      out.printf("  %-40s %,14d%n", thing.name().toLowerCase(Locale.ROOT), count);
      all &= count > 0 || elsewhere.contains(thing);
    }
    return all;
  }
}

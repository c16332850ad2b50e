package io.waybill.testkit.sim;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The command behind {@code ./simulate}. */
public final class Simulate {
  private static final int THREADS = 2;
  private static final int TRACE_LINES = 120;
  private static final int SHOWN = 10;

  private final long first;
  private final long seeds;
  private final AtomicLong next;
  private final RareStates rare = new RareStates();
  private final List<Simulation.Result> broken = new ArrayList<>();
  private long done;
  private long events;
  private long virtualNanos;

  private Simulate(long first, long seeds) {
    this.first = first;
    this.seeds = seeds;
    this.next = new AtomicLong(first);
  }

  /**
   * Runs seeds on two threads and prints rates, rare states and violations.
   *
   * @param args {@code --seeds N} (default 10,000) and {@code --seed S}, the first one (default 1);
   *     {@code --trace} prints one seed's whole trace
   * @throws InterruptedException if interrupted while the runs go on
   */
  public static void main(String[] args) throws InterruptedException {
    long seeds = 10_000;
    long first = 1;
    boolean trace = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--seeds" -> seeds = Long.parseLong(args[++i]);
        case "--seed" -> first = Long.parseLong(args[++i]);
        case "--trace" -> trace = true;
        default -> {
          System.err.println("usage: simulate [--seeds N] [--seed S] [--trace]; got " + args[i]);
          System.exit(2);
        }
      }
    }
    if (trace) {
      print(System.out, Simulation.run(first, new Mutation(), true, new RareStates()), 100_000);
      return;
    }
    System.exit(new Simulate(first, seeds).run(System.out) ? 0 : 1);
  }

  private boolean run(PrintStream out) throws InterruptedException {
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> work(out, start), "simulate-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    progress(out, start);
    return new SimulationReport(out, rare, broken).print(done, seeds >= 1_000, SHOWN);
  }

  private void work(PrintStream out, long start) {
    RareStates mine = new RareStates();
    for (long seed = next.getAndIncrement(); seed < first + seeds; seed = next.getAndIncrement()) {
      Simulation.Result result = Simulation.run(seed, new Mutation(), false, mine);
      count(result, out, start);
    }
    synchronized (this) {
      rare.add(mine);
    }
  }

  private synchronized void count(Simulation.Result result, PrintStream out, long start) {
    done++;
    events += result.events();
    virtualNanos += result.virtualNanos();
    if (result.violation() != null) {
      broken.add(result);
    }
    if (done % Math.max(1000, seeds / 20) == 0) {
      progress(out, start);
    }
  }

  private void progress(PrintStream out, long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(
        "%,d seeds, %,d events, %.0f seeds/s, %.0f times real time, %d violations%n",
        done, events, done / seconds, virtualNanos / 1e9 / seconds, broken.size());
  }

  static void print(PrintStream out, Simulation.Result result, int lines) {
    List<String> trace = result.trace();
    if (!trace.isEmpty()) {
      out.println("  " + trace.get(0));
    }
    for (int i = Math.max(1, trace.size() - lines); i < trace.size(); i++) {
      out.println("  " + trace.get(i));
    }
    out.println("seed " + result.seed() + ": " + result.violation());
  }

  static int traceLines() {
    return TRACE_LINES;
  }
}

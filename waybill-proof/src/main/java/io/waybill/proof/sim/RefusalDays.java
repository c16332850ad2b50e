package io.waybill.proof.sim;

import io.waybill.proof.sim.relay.Refusal;
import io.waybill.proof.sim.relay.Simulation;
import io.waybill.proof.sim.seed.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** The command behind {@code ./simulate --refusals}: a long time of each kind of refusal. */
public final class RefusalDays {
  private static final int TRACE_LINES = 120;

  private RefusalDays() {}

  /**
   * Runs each kind of refusal, with nothing else going wrong, and prints what it showed. The exit
   * code is 1 after a violation.
   *
   * @param args {@code --hours H} of virtual time for each kind (default 24), {@code --seed S}
   *     (default 1), {@code --threads T} (default: one for each processor)
   * @throws InterruptedException if interrupted while the runs go on
   * @throws ExecutionException if a run ends in an error
   */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int hours = 24;
    long seed = 1;
    int threads = Runtime.getRuntime().availableProcessors();
    try {
      for (int i = 0; i < args.length; i++) {
        switch (args[i]) {
          case "--hours" -> hours = Integer.parseInt(args[++i]);
          case "--seed" -> seed = Long.parseLong(args[++i]);
          case "--threads" -> threads = Math.max(1, Integer.parseInt(args[++i]));
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      System.err.println(
          "usage: simulate --refusals [--hours H] [--seed S] [--threads T]; " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(run(Duration.ofHours(hours).toNanos(), seed, threads) == 0 ? 0 : 1);
  }

  private static int run(long nanos, long seed, int threads)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Result>> runs = new ArrayList<>();
    for (Refusal why : Refusal.values()) {
      runs.add(pool.submit(() -> run(why, nanos, seed)));
    }
    pool.shutdown();
    int violations = 0;
    for (Future<Result> run : runs) {
      Result result = run.get();
      if (result.violation() != null) {
        violations++;
        result.print(System.out, TRACE_LINES);
      }
    }
    System.out.printf("%d kinds, %d violations%n", runs.size(), violations);
    return violations;
  }

  private static Result run(Refusal why, long nanos, long seed) {
    AtomicReference<String> seen = new AtomicReference<>("");
    Result result = Simulation.refusing(why, nanos, seed, seen::set);
    System.out.println(
        why.name().toLowerCase(Locale.ROOT)
            + ": "
            + seen.get()
            + (result.violation() == null ? "" : "; " + result.violation()));
    return result;
  }
}

package io.waybill.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that share the seeds of a suite. */
final class Workers {
  private Workers() {}

  /**
   * Runs the same work in each thread until all have ended. A suite whose thread dies has shown
   * nothing, so that is its end.
   */
  static void run(int threads, Runnable work) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(pool.submit(work));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A thread of the simulation died", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}

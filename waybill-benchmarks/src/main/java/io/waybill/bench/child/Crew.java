package io.waybill.bench.child;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do the same work at once. */
final class Crew {
  private Crew() {}

  /** What each of them does. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws Exception;
  }

  /** Returns when all are done; the first failure ends the others. */
  static void run(int threads, Work work) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        all.add(
            pool.submit(
                () -> {
                  work.run(number);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A thread failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}

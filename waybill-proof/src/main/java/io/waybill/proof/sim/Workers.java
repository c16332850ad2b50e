package io.waybill.proof.sim;

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that share the seeds of a suite. */
final class Workers {
  private Workers() {}

  /**
   * Runs the same work in each thread until all have ended.
   *
   * @throws IllegalStateException as soon as one has died: a suite whose thread dies shows nothing
   */
  static void run(int threads, Runnable work) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads, Workers::daemon);
    try {
      CompletionService<Void> ends = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < threads; i++) {
        ends.submit(work, null);
      }
      for (int i = 0; i < threads; i++) {
        ends.take().get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A thread of the simulation died", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "simulate");
    thread.setDaemon(true);
    return thread;
  }
}

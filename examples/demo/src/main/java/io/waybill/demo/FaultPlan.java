package io.waybill.demo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes faults one after another, beside the thread that shows the progress. Not thread-safe. */
final class FaultPlan implements AutoCloseable {
  private final Deque<Fault> waiting;
  private final int events;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<Future<?>> begun = new ArrayList<>();
  private int made;

  FaultPlan(List<Fault> faults, int events) {
    this.waiting = new ArrayDeque<>(faults);
    this.events = events;
  }

  /** Begins what is due. */
  void advance(long written) {
    while (!waiting.isEmpty() && written >= waiting.peek().share() * events) {
      Fault fault = waiting.remove();
      made += fault.damage() ? 1 : 0;
      begun.add(thread.submit(fault.action()));
    }
  }

  /** Begins nothing more. */
  void abandon() {
    waiting.clear();
  }

  /** Whether everything was done; fails with the failure of a fault. */
  boolean over() throws InterruptedException, ExecutionException {
    for (Future<?> fault : begun) {
      if (!fault.isDone()) {
        return false;
      }
      fault.get();
    }
    return waiting.isEmpty();
  }

  /** Number of faults that did harm. */
  int made() {
    return made;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

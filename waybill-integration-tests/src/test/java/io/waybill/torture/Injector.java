package io.waybill.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets faults happen, each in a thread of its own, at most three at once and one for each target;
 * {@link #heal} ends all of them early.
 */
final class Injector {
  private static final Duration LONGEST_HEALING = Duration.ofMinutes(4);

  /** What faults do; a fault comes back when it is over. */
  interface Happenings {
    /** Lets one happen, until its time is over or all is healed. */
    void happen(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
        throws InterruptedException;

    /** What did not go as it must. */
    List<String> failures();
  }

  private final FaultLog log;
  private final Happenings happenings;
  private final Set<String> busy = new HashSet<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private CountDownLatch healing = new CountDownLatch(1);

  Injector(FaultLog log, Happenings happenings) {
    this.log = log;
    this.happenings = happenings;
  }

  /**
   * Begins a fault, unless its target has one already or there are three; some kinds are beside
   * them.
   */
  synchronized boolean inject(FaultPlan.Entry entry) {
    boolean room = entry.kind().isBeside() || log.running() < FaultPlan.MOST_AT_ONCE;
    if (!room || !busy.add(entry.target())) {
      return false;
    }
    FaultLog.Open fault = log.begin(entry.kind(), entry.target());
    CountDownLatch healed = healing;
    Thread thread = new Thread(() -> run(entry, fault, healed), "fault-" + entry.kind().label());
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return true;
  }

  private void run(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed) {
    try {
      happenings.happen(entry, fault, healed);
    } catch (RuntimeException e) {
      failed(entry + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      log.end(fault);
      synchronized (this) {
        busy.remove(entry.target());
      }
    }
  }

  /** Waits until a fault's time is over, or all is healed. */
  static void pass(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    if (healed.await(entry.length().toMillis(), TimeUnit.MILLISECONDS)) {
      return; // Healed before its time.
    }
  }

  private synchronized void failed(String what) {
    failures.add(what);
  }

  /** Ends all faults and waits until what was hit is there again. */
  void heal() throws InterruptedException {
    List<Thread> running;
    synchronized (this) {
      healing.countDown();
      healing = new CountDownLatch(1);
      running = List.copyOf(threads);
      threads.clear();
    }
    long end = System.nanoTime() + LONGEST_HEALING.toNanos();
    for (Thread thread : running) {
      thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      if (thread.isAlive()) {
        failed(thread.getName() + " could not be healed");
      }
    }
  }

  /** What went wrong with the faults themselves, and graceful stops that were none. */
  synchronized List<String> failures() {
    List<String> all = new ArrayList<>(failures);
    all.addAll(happenings.failures());
    return all;
  }
}

package io.waybill.torture;

import io.waybill.proof.Interrupts;
import io.waybill.testkit.Patience;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Lets faults happen when they are due, and passes the time between them. One thread. */
final class Schedule {
  static final Duration PATIENCE = Patience.of(Duration.ofMinutes(4));
  private static final long TURN_NANOS = 200_000_000L;

  private final Interrupts interrupts;
  private final Injector injector;
  private final RunLog log;
  private final Supplier<String> progress;
  private long told;

  /**
   * That of a run.
   *
   * @param progress what to say every five seconds
   */
  Schedule(Interrupts interrupts, Injector injector, RunLog log, Supplier<String> progress) {
    this.interrupts = interrupts;
    this.injector = injector;
    this.log = log;
    this.progress = progress;
  }

  /** Faults whose target is not free, or for which there are too many, wait for their turn. */
  void play(FaultPlan.Epoch epoch) throws InterruptedException {
    long begin = System.nanoTime();
    Deque<FaultPlan.Entry> planned = new ArrayDeque<>(epoch.entries());
    List<FaultPlan.Entry> due = new ArrayList<>();
    boolean asked = false;
    while (!asked && !(planned.isEmpty() && due.isEmpty())) {
      asked = rest(System.nanoTime() + TURN_NANOS);
      Duration now = Duration.ofNanos(System.nanoTime() - begin);
      while (!planned.isEmpty() && planned.element().at().compareTo(now) <= 0) {
        due.add(planned.remove());
      }
      due.removeIf(this::happens);
    }
    rest(begin + epoch.length().toNanos());
  }

  private boolean happens(FaultPlan.Entry entry) {
    boolean begun = injector.inject(entry);
    if (begun) {
      log.say(
          "  %s on %s, %.1f s"
              .formatted(entry.kind().label(), entry.target(), entry.length().toMillis() / 1e3));
    }
    return begun;
  }

  /** Waits, and says whether the end was asked for meanwhile. */
  boolean rest(long untilNanos) throws InterruptedException {
    long left = untilNanos - System.nanoTime();
    while (left > 0) {
      if (interrupts.await(Math.min(500, 1 + left / 1_000_000))) {
        return true;
      }
      long now = System.nanoTime();
      if (now - told > 5_000_000_000L) {
        told = now;
        log.say(progress.get());
      }
      left = untilNanos - System.nanoTime();
    }
    return interrupts.asked();
  }

  static void await(String what, Callable<Boolean> condition) {
    await(what, PATIENCE, condition);
  }

  static void await(String what, Duration patience, Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(patience)
        .pollInterval(Duration.ofMillis(100))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(condition);
  }
}

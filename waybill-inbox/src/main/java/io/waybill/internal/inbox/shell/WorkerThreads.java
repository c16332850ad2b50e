package io.waybill.internal.inbox.shell;

import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.inbox.attempt.HandlerDeadline;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.TransactionRunner;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.internal.work.Ticker;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that call handlers. One whose handler does not come back is replaced, unless too many
 * are lost already: then fewer work until one of those comes back.
 */
final class WorkerThreads implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  private static final int LOST_PER_WORKER = 2;
  private static final long CUTTER_REST_SECONDS = 10;

  /** What the threads are told to do and whom they tell. */
  record Setup(
      String inbox,
      TransactionRunner.Tools tools,
      Duration limit,
      Consumer<InboxInput.Ended> ended) {}

  /**
   * What a thread is to do.
   *
   * @param work what is asked for
   * @param server on which the store stood when it was
   */
  private record Queued(Work work, String server) {}

  private final Setup setup;
  private final Ticker ticker;
  private final BlockingQueue<Queued> queue = new LinkedBlockingQueue<>();
  // Cut connections, as many at a time as there are workers.
  private final ThreadPoolExecutor cutters;
  private final List<Hand> hands = new ArrayList<>();
  // Left behind in their handlers, still alive.
  private final List<Hand> lost = new ArrayList<>();
  private final int number;
  private int started;
  private boolean refused;
  private volatile @Nullable String problem;
  private volatile InboxEvent.Threads threads = new InboxEvent.Threads(0, 0);

  WorkerThreads(Setup setup, Ticker ticker, int number) {
    this.setup = setup;
    this.ticker = ticker;
    this.number = number;
    this.cutters =
        new ThreadPoolExecutor(
            number,
            number,
            CUTTER_REST_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            this::cutter);
    cutters.allowCoreThreadTimeOut(true);
    for (int i = 0; i < number; i++) {
      hire();
    }
  }

  private Thread cutter(Runnable cutting) {
    Thread thread = new Thread(cutting, "waybill-" + setup.inbox() + "-cutter");
    thread.setDaemon(true);
    return thread;
  }

  private void hire() {
    Hand hand = new Hand("waybill-" + setup.inbox() + "-worker-" + ++started);
    hand.thread.start();
    hands.add(hand);
  }

  void put(Work work) {
    queue.add(new Queued(work, setup.tools().store().server()));
  }

  /**
   * Looks for handlers that are late, and for threads that have ended; returns those that were
   * given up.
   */
  List<InboxEvent.HandlerStuck> look() {
    lost.removeIf(hand -> !hand.thread.isAlive());
    List<InboxEvent.HandlerStuck> stuck = new ArrayList<>();
    for (Hand hand : List.copyOf(hands)) {
      if (hand.hasEnded()) {
        hands.remove(hand);
        log.error(
            "{} has ended with an error; it is replaced and its work done again", hand.thread);
        hand.giveUp(new Outcome.StoreDown("a worker's thread has ended", false, true));
      } else if (hand.watch.look() == HandlerDeadline.State.STUCK && hand.giveUp(hand.late())) {
        hands.remove(hand);
        lost.add(hand);
        stuck.add(new InboxEvent.HandlerStuck(hand.thread.getName(), hand.watch.eventType()));
      }
    }
    if (hands.size() < number) {
      replace();
    }
    threads = new InboxEvent.Threads(lost.size(), number - hands.size());
    return stuck;
  }

  private void replace() {
    try {
      while (hands.size() < number && lost.size() < LOST_PER_WORKER * number) {
        hire();
        refused = false;
      }
    } catch (OutOfMemoryError e) {
      // This is how the JVM says that it gets no more threads.
      if (!refused) {
        refused = true;
        log.warn("inbox {}: no thread for a worker; trying again", setup.inbox(), e);
      }
    }
    problem = hands.size() < number ? missing() : null;
  }

  private String missing() {
    Set<String> types = new TreeSet<>();
    lost.forEach(hand -> types.add(hand.watch.eventType()));
    return "%d of %d workers are missing: %d threads have not returned from handlers of %s"
        .formatted(number - hands.size(), number, lost.size(), types);
  }

  /** Why fewer work than are meant to; null if as many do. */
  @Nullable String problem() {
    return problem;
  }

  /** Those that were left behind, and workers that are missing for them. */
  InboxEvent.Threads threads() {
    return threads;
  }

  @Override
  public void close() {
    hands.forEach(Hand::stop);
    long deadline = ticker.nanos() + Duration.ofSeconds(2).toNanos();
    for (Hand hand : hands) {
      hand.join(deadline - ticker.nanos());
    }
    cutters.shutdown();
  }

  /** One thread. */
  private final class Hand {
    private final Thread thread;
    private final HandlerDeadline watch = new HandlerDeadline(ticker, setup.limit(), cutters);
    private volatile boolean running = true;
    // Guarded by this.
    private @Nullable Work current;

    Hand(String name) {
      thread = new Thread(this::loop, name);
      thread.setDaemon(true);
    }

    private void loop() {
      while (running) {
        try {
          Queued queued = queue.take();
          Work work = queued.work();
          begin(work);
          long start = ticker.nanos();
          Outcome outcome = run(queued);
          tell(work, outcome, ticker.nanos() - start);
        } catch (InterruptedException e) {
          // Asked to stop, or the end of a handler that was late: the loop's condition tells.
        }
      }
    }

    private Outcome run(Queued queued) {
      try {
        return new TransactionRunner(setup.tools(), watch, queued.server()).run(queued.work());
      } catch (RuntimeException | Error e) {
        log.error("{} failed unexpectedly; its work is done again", thread, e);
        return new Outcome.StoreDown(Failure.describe(e), false, true);
      }
    }

    private synchronized void begin(Work work) {
      current = work;
    }

    private synchronized void tell(Work work, Outcome outcome, long nanos) {
      if (current == work) {
        setup.ended().accept(new InboxInput.Ended(work.id(), outcome, nanos / 1000));
        current = null;
      }
    }

    Outcome late() {
      return new Outcome.Failed(watch.timeout(), true);
    }

    /** Whether its thread has ended though nobody wanted it to. */
    boolean hasEnded() {
      return running && !thread.isAlive();
    }

    /** Tells for the thread what came of its work; it is not listened to any more. */
    synchronized boolean giveUp(Outcome outcome) {
      Work work = current;
      if (work == null) {
        return false;
      }
      current = null;
      running = false;
      long micros = setup.limit().toNanos() / 1000;
      setup.ended().accept(new InboxInput.Ended(work.id(), outcome, micros));
      return true;
    }

    void stop() {
      running = false;
      thread.interrupt();
    }

    void join(long nanos) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, nanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

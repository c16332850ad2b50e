package io.waybill.internal.inbox.attempt;

import io.waybill.internal.work.Ticker;
import io.waybill.store.InboxTransaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limit of the handler that one thread is calling. Past it the transaction's connection is
 * cut and the thread interrupted; a thread that does not come back after that is abandoned.
 *
 * <p>To cut a connection may wait for its server (drivers of MySQL and MariaDB log in once more, to
 * kill what runs), so another thread does it; a look never waits. The thread that is late waits
 * until it is cut: a connection that has gone back to its pool must not be.
 */
public final class HandlerDeadline {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  // For a handler that heeds the interruption to come back.
  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

  /** The state of the handler at a look. */
  public enum State {
    FINE,
    STUCK
  }

  private final Ticker ticker;
  private final Duration limit;
  private final Executor cutters;
  private @Nullable InboxTransaction transaction;
  private @Nullable Thread thread;
  private String eventType = "";
  private long deadline;
  private boolean late;
  private CompletableFuture<Void> cut = CompletableFuture.completedFuture(null);

  public HandlerDeadline(Ticker ticker, Duration limit, Executor cutters) {
    this.ticker = ticker;
    this.limit = limit;
    this.cutters = cutters;
  }

  synchronized void begin(InboxTransaction open, String type) {
    transaction = open;
    eventType = type;
    thread = Thread.currentThread();
    deadline = ticker.nanos() + limit.toNanos();
    late = false;
  }

  /** Ends the handler's time; returns the failure if it was over. */
  @Nullable Failure end() {
    // A handler that comes back in time has nothing to wait for.
    awaitCut();
    return ended();
  }

  private void awaitCut() {
    CompletableFuture<Void> underWay;
    synchronized (this) {
      thread = null;
      underWay = cut;
    }
    underWay.join();
  }

  private synchronized @Nullable Failure ended() {
    transaction = null;
    if (!late) {
      return null;
    }
    // What interrupted the handler must not interrupt what follows.
    Thread.interrupted();
    return timeout();
  }

  public Failure timeout() {
    return new Failure(true, "handler did not end within " + limit.toMillis() + " ms");
  }

  /** The type of the event that was handled last. */
  public synchronized String eventType() {
    return eventType;
  }

  /** Called by another thread now and then; it does not wait. */
  public synchronized State look() {
    InboxTransaction open = transaction;
    if (open == null) {
      return State.FINE;
    }
    long over = ticker.nanos() - deadline;
    if (over >= 0 && !late && thread != null) {
      cut(open, thread);
    }
    return late && over >= PATIENCE_NANOS ? State.STUCK : State.FINE;
  }

  private void cut(InboxTransaction open, Thread handling) {
    try {
      cut = CompletableFuture.runAsync(open::abort, cutters).exceptionally(failure -> null);
      late = true;
      handling.interrupt();
    } catch (OutOfMemoryError e) {
      // No thread for it: the next look tries again.
      log.warn(
          "no thread to cut the connection of a handler that exceeded its time limit; trying again",
          e);
    }
  }
}

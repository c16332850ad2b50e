package io.waybill.inbox;

import io.waybill.store.InboxTransaction;
import io.waybill.work.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of the handler that one thread is calling. Past it the transaction's connection is
 * cut and the thread interrupted; a thread that does not come back after that is given up.
 */
final class Watch {
  // For a handler that heeds the interruption to come back.
  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

  /** What a look at the watch shows. */
  enum State {
    FINE,
    STUCK
  }

  private final Ticker ticker;
  private final Duration limit;
  private @Nullable InboxTransaction transaction;
  private @Nullable Thread thread;
  private String eventType = "";
  private long deadline;
  private boolean late;

  Watch(Ticker ticker, Duration limit) {
    this.ticker = ticker;
    this.limit = limit;
  }

  synchronized void begin(InboxTransaction open, String type) {
    transaction = open;
    eventType = type;
    thread = Thread.currentThread();
    deadline = ticker.nanos() + limit.toNanos();
    late = false;
  }

  /** Ends the handler's time; returns the failure if it was over. */
  synchronized @Nullable Failure end() {
    transaction = null;
    thread = null;
    if (!late) {
      return null;
    }
    // What interrupted the handler must not interrupt what follows.
    Thread.interrupted();
    return timeout();
  }

  Failure timeout() {
    return new Failure(true, "handler did not end within " + limit.toMillis() + " ms");
  }

  /** What was handled last. */
  synchronized String eventType() {
    return eventType;
  }

  /** Called by another thread now and then. */
  synchronized State look() {
    if (transaction == null || thread == null) {
      return State.FINE;
    }
    long over = ticker.nanos() - deadline;
    if (over >= 0 && !late) {
      late = true;
      transaction.abort();
      thread.interrupt();
    }
    return over >= PATIENCE_NANOS ? State.STUCK : State.FINE;
  }
}

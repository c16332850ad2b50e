package io.waybill.spring.autoconfigure;

import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the relay or the inbox, from its checks to its stop. It begins on a thread of its
 * own: a database or broker that is down delays nothing else.
 */
abstract class BackgroundRun {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundRun.class);
  private static final long PAUSE_SECONDS = 2;

  private final String what;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable String refusal;
  private String told = "";

  /**
   * Prepares a life.
   *
   * @param what what it is, with its name
   */
  BackgroundRun(String what, String name) {
    this.what = what + " " + name;
    this.thread = new Thread(this::run, "waybill-" + name + "-" + what + "-start");
    thread.setDaemon(true);
  }

  /** Looks whether it may begin; asks database and broker. */
  abstract boolean passes();

  /** Begins. */
  abstract void begin();

  /** Ends what was begun, if it was; returns whether all work was settled in time. */
  abstract boolean end(Duration grace);

  final void start() {
    thread.start();
  }

  /** Why it does not start, or null. */
  final @Nullable String refusal() {
    return refusal;
  }

  /** Stops; returns whether all work was settled in time. */
  final boolean stop(Duration grace) {
    stopping.countDown();
    thread.interrupt();
    synchronized (this) {
      return end(grace);
    }
  }

  private void run() {
    try {
      while (!tried()) {
        if (stopping.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Stopped before the {} began", what);
    } catch (RuntimeException e) {
      refusal = String.valueOf(e.getMessage());
      LOG.error("The {} could not start; events stay where they are", what, e);
    }
  }

  private boolean tried() {
    try {
      return passes() && begun();
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      Throwable cause = e.getCause();
      tell(e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()));
      return false;
    }
  }

  private synchronized boolean begun() {
    if (stopping.getCount() > 0) {
      begin();
      refusal = null;
    }
    return true;
  }

  /** Once for each reason, however often it is checked. */
  final void tell(String reason) {
    refusal = reason;
    if (!reason.equals(told)) {
      told = reason;
      LOG.warn("{}; the {} does not start, checked again every {} s", reason, what, PAUSE_SECONDS);
    }
  }
}

package io.waybill.internal.start;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.work.WallClock;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a relay's history, with one statement a minute, on one thread. Between two statements it
 * has no connection. What it cannot write harms nothing else. Thread-safe.
 */
public final class HistoryJob {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryJob.class);
  private static final int HOUR = 60;
  private static final long MINUTE_MILLIS = 60_000;
  private static final long FIRST_MILLIS = 5_000;
  private static final int SPREAD_MILLIS = 5_000;
  private static final Duration LAST_PART = Duration.ofSeconds(2);

  private final String outbox;
  private final Admin admin;
  private final Rollups rollups;
  private final RelayHistory history;
  private final Duration kept;
  private final ScheduledExecutorService thread;
  private final long offset = ThreadLocalRandom.current().nextInt(SPREAD_MILLIS);
  private volatile @Nullable ScheduledFuture<?> next;
  private int turns;
  private int rest;
  private boolean refused;

  /**
   * Prepares the job.
   *
   * @param outbox name of the outbox, for the thread
   * @param admin what writes; closed with the job
   * @param kept how long history is kept
   * @param history what is to be written
   */
  public HistoryJob(String outbox, Admin admin, Duration kept, RelayHistory history) {
    this.outbox = outbox;
    this.admin = admin;
    this.rollups = Rollups.of(admin);
    this.history = history;
    this.kept = kept;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> new Thread(task, "waybill-" + outbox + "-history"));
  }

  /** Begins. */
  public void start() {
    schedule(FIRST_MILLIS);
  }

  private void schedule(long millis) {
    try {
      next =
          thread.schedule(
              () -> {
                try {
                  turn();
                } finally {
                  long now = WallClock.SYSTEM.millis();
                  schedule(MINUTE_MILLIS - now % MINUTE_MILLIS + 1_000 + offset);
                }
              },
              millis,
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the history has been closed");
    }
  }

  /** One statement. In one minute of an hour it is not a write: that minute is written later. */
  public void turn() {
    int now = turns++ % HOUR;
    if (rest > 0) {
      rest--;
      history.take(false);
    } else if (now == 0) {
      attempt(() -> history.known(rollups.destinations()));
    } else if (now == HOUR / 2) {
      attempt(() -> rollups.forget(kept));
    } else {
      attempt(() -> write(false));
    }
  }

  private void write(boolean all) {
    List<Rollup> rows = history.take(all);
    if (rows.isEmpty()) {
      return;
    }
    try {
      rollups.add(rows);
    } catch (StoreException e) {
      if (e.isTransient()) {
        history.putBack(rows);
      }
      throw e;
    }
    if (refused) {
      refused = false;
      LOG.info("outbox {}: its history is written again", outbox);
    }
  }

  /** Whatever it was: the relay goes on. */
  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (StoreException e) {
      failed(e);
    } catch (RuntimeException | Error e) {
      LOG.warn("outbox {}: its history could not be written; next attempt in a minute", outbox, e);
    } finally {
      rollups.rest();
    }
  }

  private void failed(StoreException e) {
    LOG.debug("outbox {}: its history could not be written", outbox, e);
    if (e.isTransient()) {
      return;
    }
    rest = HOUR - 1;
    if (!refused) {
      refused = true;
      LOG.warn(
          "outbox {}: its history cannot be written: {}: {}; fix: waybill schema apply, or what"
              + " waybill schema print --grants prints; everything else goes on, and it is tried"
              + " again every hour",
          outbox,
          e.getMessage(),
          reason(e));
    }
  }

  private static String reason(StoreException e) {
    Throwable cause = e.getCause();
    String text = cause == null ? "" : String.valueOf(cause.getMessage());
    return text.lines().findFirst().orElse("");
  }

  /** Writes the last part, if that can be done in time, and ends. */
  public void close(Duration grace) {
    ScheduledFuture<?> waiting = next;
    if (waiting != null) {
      waiting.cancel(false);
    }
    Duration limit = grace.compareTo(LAST_PART) < 0 ? grace : LAST_PART;
    try {
      if (!limit.isNegative() && !limit.isZero()) {
        thread.execute(this::last);
      }
      thread.shutdown();
      if (!thread.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("outbox {}: the last part of its history was not written in time", outbox);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
      admin.close();
    }
  }

  private void last() {
    if (rest == 0) {
      attempt(() -> write(true));
    }
  }
}

package io.waybill.internal.start;

import io.waybill.database.Retention;
import io.waybill.database.Retention.Purged;
import io.waybill.internal.work.Ticker;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes published events that were kept long enough, in small batches, on one thread. It uses at
 * most a fifth of one connection's time, however long the table is. Thread-safe.
 */
public final class RetentionJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);
  private static final int BATCH = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int PAUSE_FACTOR = 4;

  private final Retention retention;
  private final Duration age;
  private final ScheduledExecutorService thread;
  private long walkNanos;
  private volatile @Nullable ScheduledFuture<?> next;

  private RetentionJob(String outbox, Retention retention, Duration age) {
    this.retention = retention;
    this.age = age;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> new Thread(task, "waybill-" + outbox + "-retention"));
  }

  /**
   * Starts the job.
   *
   * @param outbox name of the outbox, for the thread
   * @param retention what removes the rows; closed with the job
   * @param age how long published events stay
   * @return the running job, to be closed
   */
  public static RetentionJob start(String outbox, Retention retention, Duration age) {
    RetentionJob job = new RetentionJob(outbox, retention, age);
    job.schedule(PAUSE_NANOS);
    return job;
  }

  private void schedule(long nanos) {
    try {
      next = thread.schedule(this::step, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the retention has been closed");
    }
  }

  private void step() {
    long pause = PAUSE_NANOS;
    try {
      pause = pauseAfter();
    } finally {
      schedule(pause);
    }
  }

  /** One batch; returns how long to rest after it. */
  private long pauseAfter() {
    long start = Ticker.SYSTEM.nanos();
    try {
      Purged purged = retention.purge(age, BATCH);
      LOG.debug("removed {} published events", purged.removed());
      long took = Ticker.SYSTEM.nanos() - start;
      walkNanos += took;
      if (purged.more()) {
        return PAUSE_FACTOR * took;
      }
      long rest = Math.max(PAUSE_NANOS, PAUSE_FACTOR * walkNanos);
      walkNanos = 0;
      return rest;
    } catch (RuntimeException | Error e) {
      // Whatever it was: each step begins anew, and nothing else ends this thread.
      LOG.warn("published events could not be removed; next attempt in 10 s", e);
      return PAUSE_NANOS;
    }
  }

  @Override
  public void close() {
    ScheduledFuture<?> waiting = next;
    if (waiting != null) {
      waiting.cancel(true);
    }
    thread.shutdownNow();
    retention.close();
  }
}

package io.waybill.server.assemble;

import io.waybill.jdbc.Retention;
import io.waybill.jdbc.Retention.Purged;
import io.waybill.store.StoreException;
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
 * Removes published events that were kept long enough, in small batches, on one thread. It takes a
 * fifth of one connection's time at most, however long the table is.
 */
final class RetentionJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);
  private static final int BATCH = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int PAUSE_FACTOR = 4;

  private final Retention retention;
  private final Duration age;
  private final ScheduledExecutorService thread;
  private long walkNanos;
  private volatile @Nullable ScheduledFuture<?> next;

  RetentionJob(String outbox, Retention retention, Duration age) {
    this.retention = retention;
    this.age = age;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> new Thread(task, "waybill-" + outbox + "-retention"));
    schedule(PAUSE_NANOS);
  }

  private void schedule(long nanos) {
    try {
      next = thread.schedule(this::step, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the retention has been closed");
    }
  }

  private void step() {
    schedule(pauseAfter());
  }

  /** One batch; returns how long to rest after it. */
  private long pauseAfter() {
    long start = System.nanoTime();
    try {
      Purged purged = retention.purge(age, BATCH);
      LOG.debug("removed {} published events", purged.removed());
      long took = System.nanoTime() - start;
      walkNanos += took;
      if (purged.more()) {
        return PAUSE_FACTOR * took;
      }
      long rest = Math.max(PAUSE_NANOS, PAUSE_FACTOR * walkNanos);
      walkNanos = 0;
      return rest;
    } catch (StoreException e) {
      LOG.warn("published events were not removed; tried again in 10 s", e);
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

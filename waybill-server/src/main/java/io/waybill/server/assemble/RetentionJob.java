package io.waybill.server.assemble;

import io.waybill.jdbc.Retention;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes published events that were kept long enough, in small batches, on one thread. */
final class RetentionJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);
  private static final int BATCH = 1_000;
  private static final long PAUSE_SECONDS = 10;

  private final Retention retention;
  private final Duration age;
  private final ScheduledExecutorService thread;
  private final ScheduledFuture<?> schedule;

  RetentionJob(String outbox, Retention retention, Duration age) {
    this.retention = retention;
    this.age = age;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> new Thread(task, "waybill-" + outbox + "-retention"));
    this.schedule =
        thread.scheduleWithFixedDelay(this::purge, PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
  }

  private void purge() {
    try {
      int removed = 0;
      int batch = BATCH;
      while (batch == BATCH && !thread.isShutdown()) {
        batch = retention.purge(age, BATCH);
        removed += batch;
      }
      LOG.debug("removed {} published events", removed);
    } catch (StoreException e) {
      LOG.warn("published events were not removed; tried again in {} s", PAUSE_SECONDS, e);
    }
  }

  @Override
  public void close() {
    schedule.cancel(true);
    thread.shutdownNow();
    retention.close();
  }
}

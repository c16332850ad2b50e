package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import io.waybill.spring.WaybillStartException;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the jobs of an outbox, also those of processes that have ended, on a thread and a
 * connection of its own. {@link #wake} and {@link #close} are for any thread.
 */
final class JobWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);
  private static final long STEP_MILLIS = 100;
  private static final long LOOK_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long CLEAN_NANOS = Duration.ofMinutes(10).toNanos();
  private static final long PAUSE_MILLIS = 5_000;

  private final String outbox;
  private final Supplier<Admin> opens;
  private final String runner;
  private final Warnings warnings;
  private final Semaphore woken = new Semaphore(0);
  private final Map<Long, Running> running = new LinkedHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private @Nullable Admin admin;
  private long lookAt = System.nanoTime();
  private long cleanAt = System.nanoTime() + LOOK_NANOS;

  private record Running(RunningJob job, JobRun run) {}

  /**
   * Begins with {@link #start}.
   *
   * @param outbox name of the outbox
   * @param opens opens it with a connection of its own
   * @param runner name of this process, which no other one has
   * @param warnings where failures are told
   */
  JobWorker(String outbox, Supplier<Admin> opens, String runner, Warnings warnings) {
    this.outbox = outbox;
    this.opens = opens;
    this.runner = runner;
    this.warnings = warnings;
    this.thread = new Thread(this::work, "waybill-jobs-" + outbox);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** There may be something to do. */
  void wake() {
    woken.release();
  }

  private void work() {
    try {
      while (!closed) {
        // What came while it worked has been looked at.
        boolean ended = woken.tryAcquire(turn(), TimeUnit.MILLISECONDS);
        if (ended) {
          woken.drainPermits();
          lookAt = System.nanoTime();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      leave();
    }
  }

  /** Does what is due; returns the milliseconds until there may be more. */
  private long turn() {
    try {
      Jobs jobs = Jobs.of(open());
      long now = System.nanoTime();
      if (now - lookAt >= 0) {
        lookAt = now + LOOK_NANOS;
        for (long id : jobs.due(runner)) {
          if (!running.containsKey(id)) {
            jobs.take(id, runner).ifPresent(this::begin);
          }
        }
      }
      if (running.isEmpty() && now - cleanAt >= 0) {
        cleanAt = jobs.clean() > 0 ? now : now + CLEAN_NANOS;
      }
      running.values().removeIf(this::step);
      return running.isEmpty() ? Math.max(1, (lookAt - now) / 1_000_000) : STEP_MILLIS;
    } catch (StoreException | WaybillStartException e) {
      warnings.warn("jobs rest", e, "they go on when it answers");
      running.clear();
      close(admin);
      admin = null;
      return PAUSE_MILLIS;
    }
  }

  private Admin open() {
    Admin known = admin;
    Admin opened = known == null ? opens.get() : known;
    admin = opened;
    return opened;
  }

  private void begin(RunningJob job) {
    if (job.job().state() == Job.State.RUNNING) {
      LOG.info("outbox {}: job {} runs here, {} asked for", outbox, id(job), job.job().requested());
      running.put(job.job().id(), new Running(job, job.run()));
    } else {
      // Nothing more is asked for, but what was asked for may have an outcome by now.
      job.outcomes(System.nanoTime());
      job.leave();
    }
  }

  private static long id(RunningJob job) {
    return job.job().id();
  }

  /** Returns whether it is over here. */
  private boolean step(Running each) {
    try {
      if (!each.run().step(System.nanoTime())) {
        return false;
      }
      JobRun.Progress end = each.run().progress();
      each.job().end(end.stopped());
      LOG.info(
          "outbox {}: job {} has {}; {}",
          outbox,
          id(each.job()),
          end.stopped() == null ? "ended" : "stopped: " + end.stopped(),
          end.tally());
      return true;
    } catch (JobTakenException e) {
      LOG.info("outbox {}: job {} is paused, cancelled or elsewhere", outbox, id(each.job()));
      return true;
    }
  }

  private void leave() {
    try {
      running.values().forEach(each -> each.job().leave());
    } catch (StoreException e) {
      LOG.debug("outbox {}: jobs are left to their leases", outbox, e);
    }
    close(admin);
  }

  private static void close(@Nullable Admin admin) {
    Optional.ofNullable(admin).ifPresent(Admin::close);
  }

  @Override
  public void close() {
    closed = true;
    wake();
  }
}

package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.broker.Broker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.consumers.LookRefusedException;
import io.waybill.spring.internal.consumers.Redrive;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
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
  private static final long LONG_PAUSE_MILLIS = 60_000;
  private static final int MOST_FAILURES = 5;

  private final String outbox;
  private final Supplier<Admin> opens;
  private final Supplier<Broker> broker;
  private final String runner;
  private final Warnings warnings;
  private final Semaphore woken = new Semaphore(0);
  private final Map<Long, Running> running = new LinkedHashMap<>();
  // Of jobs whose last steps failed: how many did.
  private final Map<Long, Integer> failures = new HashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private @Nullable Admin admin;
  private long lookAt = System.nanoTime();
  private long cleanAt = System.nanoTime() + LOOK_NANOS;

  private record Running(RunningJob job, JobRun run, JobRun.Events events) {
    Running(RunningJob job, JobRun.Events events) {
      this(job, job.run(events), events);
    }
  }

  /**
   * Begins with {@link #start}.
   *
   * @param outbox name of the outbox
   * @param opens opens it with a connection of its own
   * @param broker of the outbox, for jobs about dead letters
   * @param runner name of this process, which no other one has
   * @param warnings where failures are told
   */
  JobWorker(
      String outbox,
      Supplier<Admin> opens,
      Supplier<Broker> broker,
      String runner,
      Warnings warnings) {
    this.outbox = outbox;
    this.opens = opens;
    this.broker = broker;
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
        look(jobs);
      }
      if (running.isEmpty() && now - cleanAt >= 0) {
        cleanAt = now + CLEAN_NANOS;
        cleanAt = jobs.clean() > 0 ? now : cleanAt;
      }
      running.values().removeIf(this::isOver);
      boolean busy = !running.isEmpty() || now - cleanAt >= 0;
      return busy ? STEP_MILLIS : Math.max(1, (lookAt - now) / 1_000_000);
    } catch (RuntimeException e) {
      boolean lasts = e instanceof StoreException refused && !refused.isTransient();
      warnings.warn(
          "jobs rest",
          e,
          lasts ? "they are looked at again in a minute" : "they go on when the database answers");
      return lasts ? LONG_PAUSE_MILLIS : PAUSE_MILLIS;
    }
  }

  private Admin open() {
    Admin known = admin;
    Admin opened = known == null ? opens.get() : known;
    admin = opened;
    return opened;
  }

  private void look(Jobs jobs) {
    for (long id : jobs.due(runner)) {
      if (!running.containsKey(id)) {
        jobs.take(id, runner).ifPresent(this::begin);
      }
    }
  }

  private void begin(RunningJob job) {
    try {
      JobRun.Events events = Redrive.events(job, broker);
      if (job.job().state() == Job.State.RUNNING) {
        LOG.info(
            "outbox {}: job {} runs here, {} asked for", outbox, id(job), job.job().requested());
        running.put(id(job), new Running(job, events));
      } else {
        // Nothing more is asked for, but what was asked for may have an outcome by now.
        try (events) {
          events.outcomes(System.nanoTime());
        }
        job.leave();
      }
    } catch (DeadLetterAccessException | WaybillStartException | LookRefusedException e) {
      if (job.job().state() == Job.State.RUNNING) {
        boolean unused = failed(job, e);
      } else {
        warnings.warn(
            "job " + id(job), e, "what became of its last dead letters is looked for again");
        job.leave();
      }
    }
  }

  private static long id(RunningJob job) {
    return job.job().id();
  }

  private boolean isOver(Running each) {
    boolean over = isEnded(each);
    if (over) {
      each.events().close();
    }
    return over;
  }

  /** One that cannot be carried out does not keep the others from it. */
  private boolean isEnded(Running each) {
    try {
      int before = progress(each);
      boolean over = step(each);
      if (progress(each) > before) {
        failures.remove(id(each.job()));
      }
      return over;
    } catch (JobTakenException e) {
      LOG.info("outbox {}: job {} is paused, cancelled or elsewhere", outbox, id(each.job()));
      each.job().leave();
      return true;
    } catch (RuntimeException e) {
      return failed(each.job(), e);
    }
  }

  private static int progress(Running each) {
    JobRun.Progress progress = each.run().progress();
    return progress.requested() + progress.tally().known() + progress.tally().skipped();
  }

  /** It is taken anew, since nobody knows what was written; not for ever. */
  private boolean failed(RunningJob job, RuntimeException e) {
    int times = failures.merge(id(job), 1, Integer::sum);
    // A look that may lose letters is not tried again.
    boolean end = times >= MOST_FAILURES || e instanceof LookRefusedException;
    warnings.warn(
        "job " + id(job),
        e,
        end ? "it is stopped" : "it is tried again, %d times".formatted(MOST_FAILURES));
    if (end) {
      failures.remove(id(job));
      job.end("could not be carried out: " + e.getMessage());
    }
    return true;
  }

  private boolean step(Running each) {
    if (!each.run().step(System.nanoTime())) {
      return false;
    }
    JobRun.Progress end = each.run().progress();
    if (!each.job().end(end.stopped())) {
      throw new JobTakenException(each.job().job(), runner);
    }
    LOG.info(
        "outbox {}: job {} has {}; {}",
        outbox,
        id(each.job()),
        end.stopped() == null ? "ended" : "stopped: " + end.stopped(),
        end.tally());
    return true;
  }

  private void leave() {
    try {
      for (Running each : running.values()) {
        each.events().close();
        each.job().leave();
      }
    } catch (RuntimeException e) {
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

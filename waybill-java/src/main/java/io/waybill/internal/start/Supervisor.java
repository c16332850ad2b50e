package io.waybill.internal.start;

import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job running, from a separate thread: checks whether it may start, starts it, and starts
 * it again after a failure. A job that can't start yet is tried again: after 1 s where that may
 * soon help, otherwise after growing pauses of up to 30 s. A job that failed is started again after
 * growing pauses from 1 s to 30 s. The supervisor stops trying after a {@link VirtualMachineError},
 * which leaves the process in doubt, and after {@link Refused}. Each reason is logged once.
 * Thread-safe.
 */
public final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration FIRST_RESTART = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  // Work that has run for so long begins its next failures with short pauses.
  private static final Duration SOUND = Duration.ofMinutes(5);

  /** The job that is kept running. */
  public interface Job {
    /**
     * Checks whether the job may start; may query the database and the broker. Called by one
     * thread, which a stop interrupts.
     *
     * @return null if it may, otherwise why not yet
     * @throws Refused if trying again cannot help
     * @throws InterruptedException if the supervisor is stopped
     */
    @Nullable String check() throws InterruptedException;

    /**
     * Starts the job. Never called at the same time as {@link #end}.
     *
     * @param failed to be called, by any thread, when the job has failed for good
     */
    void begin(Consumer<Throwable> failed);

    /**
     * Ends what was started, even if it was started only in part or has failed.
     *
     * @param grace longest time to wait for work in progress
     * @return whether nothing was left undone; true if nothing was started
     */
    boolean end(Duration grace);
  }

  /** Thrown where trying again can't help, since the configuration is wrong. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason one sentence for an operator
     */
    public Refused(String reason) {
      super(reason);
    }
  }

  /** Receives the state of the job, on the supervisor's thread. */
  public interface Watcher {
    /**
     * The job does not run for now.
     *
     * @param reason one sentence for an operator
     */
    void waits(String reason);

    /**
     * The job does not run and is not started again.
     *
     * @param cause what ended the job: a {@link Refused}, or its failure
     */
    void gaveUp(Throwable cause);
  }

  /** What happens to a job that has failed. */
  public enum AfterFailure {
    /** It is started again, except after a {@link VirtualMachineError}. */
    RESTART,
    /** It stays down: the process manager is expected to restart the process. */
    GIVE_UP
  }

  private final String what;
  private final Job job;
  private final AfterFailure afterFailure;
  private final Watcher watcher;
  private final Semaphore signal = new Semaphore(0);
  private final Thread thread;
  private volatile boolean stopping;
  private @Nullable Life life;
  private String told = "";
  private Duration restartPause = FIRST_RESTART;

  /** One life of the work: what an earlier one tells later is of no interest. */
  private final class Life implements Consumer<Throwable> {
    private final long began = Ticker.SYSTEM.nanos();
    private volatile @Nullable Throwable failure;

    @Override
    public void accept(Throwable cause) {
      failure = cause;
      signal.release();
    }
  }

  /**
   * Creates a supervisor; nothing is started before {@link #start}.
   *
   * @param what kind and name of the job, for logs and the thread
   * @param job the job to keep running
   * @param afterFailure what happens to the job after a failure
   * @param watcher receives the state of the job
   */
  public Supervisor(String what, Job job, AfterFailure afterFailure, Watcher watcher) {
    this.what = what;
    this.job = job;
    this.afterFailure = afterFailure;
    this.watcher = watcher;
    this.thread = new Thread(this::run, "waybill-" + what.replace(' ', '-') + "-supervisor");
    thread.setDaemon(true);
  }

  /** Starts supervising. Call it once. */
  public void start() {
    thread.start();
  }

  /**
   * Stops the job and its supervision.
   *
   * @param grace longest time to wait for work in progress
   * @return whether nothing was left undone
   */
  public boolean stop(Duration grace) {
    stopping = true;
    thread.interrupt();
    synchronized (this) {
      return job.end(grace);
    }
  }

  private void run() {
    try {
      while (!stopping) {
        if (begun()) {
          watch();
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The {} is no longer supervised", what);
    } catch (RuntimeException | Error e) {
      giveUp(e);
    }
  }

  /** Tries until the work has begun. Returns false if it was stopped before. */
  private boolean begun() throws InterruptedException {
    Duration pause = SOON;
    while (!stopping) {
      String reason;
      Duration next = SOON;
      try {
        reason = job.check();
        if (reason == null) {
          return begin();
        }
      } catch (Refused | IllegalArgumentException e) {
        throw e;
      } catch (VirtualMachineError e) {
        throw e;
      } catch (RuntimeException | Error e) {
        end();
        reason = text(e);
        next = isPassing(e) ? SOON : longer(pause);
      }
      tell(reason, pause);
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
      pause = next;
    }
    return false;
  }

  private synchronized boolean begin() {
    if (stopping) {
      return false;
    }
    Life fresh = new Life();
    signal.drainPermits();
    life = fresh;
    job.begin(fresh);
    told = "";
    return true;
  }

  /** Waits until the work has failed, ends what is left of it, and waits before it begins anew. */
  private void watch() throws InterruptedException {
    Life current = Objects.requireNonNull(life, "begun");
    Throwable failure = current.failure;
    while (failure == null) {
      signal.acquire();
      failure = current.failure;
    }
    end();
    if (failure instanceof VirtualMachineError || afterFailure == AfterFailure.GIVE_UP) {
      throw new Ended(failure);
    }
    if (Ticker.SYSTEM.nanos() - current.began > SOUND.toNanos()) {
      restartPause = FIRST_RESTART;
    }
    Duration pause = restartPause;
    restartPause = longer(pause);
    tell("it has failed: " + failure, pause);
    TimeUnit.NANOSECONDS.sleep(pause.toNanos());
  }

  /** Carries what ended the work for good out of the loop. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Ended(Throwable cause) {
      super(cause);
    }
  }

  private synchronized void end() {
    if (!stopping) {
      job.end(Duration.ZERO);
    }
  }

  private void giveUp(Throwable thrown) {
    Throwable cause =
        thrown instanceof Ended ended && ended.getCause() != null ? ended.getCause() : thrown;
    try {
      end();
      if (cause instanceof Refused || cause instanceof IllegalArgumentException) {
        // Somebody's setting, not a fault of the program.
        LOG.error("The {} is not running and is not started again: {}", what, text(cause));
        LOG.debug("It was refused here", cause);
      } else {
        LOG.error("The {} has ended and is not started again", what, cause);
      }
      waits(text(cause) + "; it is not started again");
    } finally {
      watcher.gaveUp(cause);
    }
  }

  private void waits(String reason) {
    try {
      watcher.waits(reason);
    } catch (RuntimeException e) {
      LOG.warn("The {} continues, although its watcher failed", what, e);
    }
  }

  private void tell(String reason, Duration pause) {
    waits(reason);
    if (!reason.equals(told)) {
      told = reason;
      LOG.warn(
          "{}; the {} is not running; next check in {} s, later at most every {} s",
          reason,
          what,
          pause.toSeconds(),
          LONGEST.toSeconds());
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
  }

  private static boolean isPassing(Throwable e) {
    return e instanceof StoreException refused && refused.isTransient();
  }

  private static String text(Throwable e) {
    if (e instanceof StoreException store) {
      return ErrorText.reason(store);
    }
    return e instanceof Refused ? String.valueOf(e.getMessage()) : ErrorText.of(e);
  }
}

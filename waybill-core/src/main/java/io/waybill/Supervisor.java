package io.waybill;

import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.store.ErrorText;
import io.waybill.store.StoreException;
import io.waybill.work.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a piece of work running, from a thread of its own: looks whether it may begin, begins it,
 * and begins it anew after it has failed. What cannot begin yet is tried again, after 1 s where
 * that may soon help and after growing pauses up to 30 s else. Work that failed is begun again
 * after growing pauses from 1 s to 30 s. It is given up after a {@link VirtualMachineError}, which
 * leaves the process in doubt, and after {@link Refused}. Each reason is logged once. Thread-safe.
 */
public final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration FIRST_RESTART = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  // Work that has run for so long begins its next failures with short pauses.
  private static final Duration SOUND = Duration.ofMinutes(5);

  /** What is kept running. */
  public interface Job {
    /**
     * Looks whether the work may begin; may ask database and broker. Called by one thread,
     * interrupted by a stop.
     *
     * @return null if it may, else why not yet
     * @throws Refused if trying again cannot help
     * @throws InterruptedException if it is stopped
     */
    @Nullable String check() throws InterruptedException;

    /**
     * Begins. Never at the same time as {@link #end}.
     *
     * @param failed to be told, by any thread, when the work has failed for good
     */
    void begin(Consumer<Throwable> failed);

    /**
     * Ends what was begun, also by halves or after a failure.
     *
     * @param grace longest time to wait for work under way
     * @return whether nothing was left undone, true if nothing was begun
     */
    boolean end(Duration grace);
  }

  /** Trying again cannot help: the configuration is wrong. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Refuses.
     *
     * @param reason one sentence for an operator
     */
    public Refused(String reason) {
      super(reason);
    }
  }

  /** Who is told how the work stands; called by the supervisor's thread. */
  public interface Watcher {
    /**
     * The work does not run for now.
     *
     * @param reason one sentence for an operator
     */
    void waits(String reason);

    /**
     * The work does not run, and is not begun again.
     *
     * @param cause what ended it: a {@link Refused}, or its failure
     */
    void gaveUp(Throwable cause);
  }

  /** What becomes of work that has failed. */
  public enum AfterFailure {
    /** It is begun again, except after a {@link VirtualMachineError}. */
    RESTART,
    /** It is given up: whatever runs the process starts it again. */
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
   * Prepares; nothing is begun before {@link #start}.
   *
   * @param what what it is, with its name, for logs and the thread
   * @param job what is kept running
   * @param afterFailure what becomes of it after a failure
   * @param watcher who is told
   */
  public Supervisor(String what, Job job, AfterFailure afterFailure, Watcher watcher) {
    this.what = what;
    this.job = job;
    this.afterFailure = afterFailure;
    this.watcher = watcher;
    this.thread = new Thread(this::run, "waybill-" + what.replace(' ', '-') + "-supervisor");
    thread.setDaemon(true);
  }

  /** Begins to supervise. Call it once. */
  public void start() {
    thread.start();
  }

  /**
   * Stops the work and its supervision.
   *
   * @param grace longest time to wait for work under way
   * @return whether nothing was left undone
   */
  public boolean stop(Duration grace) {
    stopping = true;
    thread.interrupt();
    synchronized (this) {
      return job.end(grace);
    }
  }

  /**
   * A watcher that tells a relay's listeners.
   *
   * @param listener told {@link RelayEvent.Waiting}
   * @return the watcher; that the relay is given up it tells as a reason, too
   */
  public static Watcher telling(RelayListener listener) {
    return new Watcher() {
      @Override
      public void waits(String reason) {
        listener.on(new RelayEvent.Waiting(reason));
      }

      @Override
      public void gaveUp(Throwable cause) {
        // Health has the reason, and the log.
      }
    };
  }

  private void run() {
    try {
      while (!stopping) {
        if (begun()) {
          watch();
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The {} is supervised no longer", what);
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
        LOG.error("The {} does not run and is not started again: {}", what, text(cause));
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
      LOG.warn("The {} goes on though whoever watches it failed", what, e);
    }
  }

  private void tell(String reason, Duration pause) {
    waits(reason);
    if (!reason.equals(told)) {
      told = reason;
      LOG.warn(
          "{}; the {} does not run, checked again in {} s, later every {} s at most",
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

package io.waybill.internal.work;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that runs one duty until it is stopped. A duty that throws an exception runs
 * again after a moment. An error ends the thread, and the worker reports it to its creator.
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  // After an exception; what fails at once must not keep a processor busy.
  private static final long MISHAP_PAUSE_MILLIS = 100;
  private static final long ERROR_PAUSE_MILLIS = 1_000;

  private final Thread thread;
  private volatile boolean running = true;

  /**
   * Starts the thread.
   *
   * @param name thread name
   * @param duty the duty
   * @param ended receives, on the thread, the error that has ended it
   */
  public Worker(String name, Duty duty, Consumer<Throwable> ended) {
    thread = new Thread(() -> run(duty, ended), name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Starts a thread whose creator watches {@link #isAlive()}.
   *
   * @param name thread name
   * @param duty the duty
   */
  public Worker(String name, Duty duty) {
    this(name, duty, error -> {});
  }

  /**
   * Starts a thread for work that others can do without for a while: its duty runs again after
   * errors as well.
   *
   * @param name thread name
   * @param duty the duty; keeps no state that a failure could leave in doubt
   * @return the worker
   */
  public static Worker tireless(String name, Duty duty) {
    return new Worker(
        name,
        () -> {
          try {
            return duty.doWork();
          } catch (Error e) {
            log.error("{} failed; it continues with its next piece of work", name, e);
            Thread.sleep(ERROR_PAUSE_MILLIS);
            return 0;
          }
        });
  }

  private void run(Duty duty, Consumer<Throwable> ended) {
    while (running) {
      try {
        work(duty);
      } catch (InterruptedException e) {
        return;
      } catch (Error e) {
        // First told: there may be no memory left to log with.
        ended.accept(e);
        log.error("{} has ended with an error", thread, e);
        return;
      }
    }
  }

  private void work(Duty duty) throws InterruptedException {
    try {
      duty.doWork();
    } catch (RuntimeException e) {
      log.error("{} failed unexpectedly; it continues with its next piece of work", thread, e);
      Thread.sleep(MISHAP_PAUSE_MILLIS);
    }
  }

  /**
   * Whether the thread still runs.
   *
   * @return false once it ended
   */
  public boolean isAlive() {
    return thread.isAlive();
  }

  /** Asks the thread to end after its current piece of work and waits for at most two seconds. */
  @Override
  public void close() {
    running = false;
    if (Thread.currentThread() == thread) {
      // Not interrupted: it may have other things to close.
      return;
    }
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.waybill.work;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that does one duty until it is stopped. A duty that throws is done again. */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  private final Thread thread;
  private volatile boolean running = true;

  /**
   * Starts the thread.
   *
   * @param name thread name
   * @param duty what it does
   */
  public Worker(String name, Duty duty) {
    thread = new Thread(() -> run(duty), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Duty duty) {
    while (running) {
      try {
        duty.doWork();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        log.error("{} failed unexpectedly and goes on with its next piece of work", thread, e);
      } catch (Error e) {
        log.error("{} ends with an error; what it does is not done until a restart", thread, e);
        throw e;
      }
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
    thread.interrupt();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.waybill.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * The relay or the inbox in the application's life cycle. It begins when the application has come
 * so far, so that no start waits for a broker. Thread-safe.
 *
 * @param <R> one life of it, from its checks to its stop, supervised on a thread of its own
 */
abstract class BackgroundLifecycle<R>
    implements SmartLifecycle, ApplicationListener<SpringApplicationEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundLifecycle.class);

  private final String name;
  private final Duration grace;
  private final int phase;
  private final Class<? extends SpringApplicationEvent> moment;
  // Renewals come one after the other.
  private final Object renewal = new Object();
  private boolean ready;
  private boolean running;
  private volatile boolean settled = true;
  private @Nullable R run;

  BackgroundLifecycle(
      String name, Duration grace, int phase, Class<? extends SpringApplicationEvent> moment) {
    this.name = name;
    this.grace = grace;
    this.phase = phase;
    this.moment = moment;
  }

  /** Begins a new life; waits for nothing. */
  abstract R begin();

  /** Ends a life; returns whether all work was settled in time. */
  abstract boolean end(R life, Duration grace);

  /** What a stop that took too long means, in one sentence. */
  abstract String unfinished();

  /**
   * Its name.
   *
   * @return as in tables, logs and threads
   */
  public final String name() {
    return name;
  }

  final synchronized @Nullable R current() {
    return run;
  }

  @Override
  public final synchronized void start() {
    running = true;
    beginIfDue();
  }

  @Override
  public final synchronized void onApplicationEvent(SpringApplicationEvent event) {
    if (moment.isInstance(event)) {
      ready = true;
      beginIfDue();
    }
  }

  private void beginIfDue() {
    if (running && ready && run == null) {
      run = begin();
    }
  }

  /**
   * Ends the present life as a stop does and begins another, on a thread of its own.
   *
   * @param reason what has changed, in one sentence
   */
  final void renew(String reason) {
    Thread thread = new Thread(() -> renewNow(reason), "waybill-" + name + "-renewal");
    thread.setDaemon(true);
    thread.start();
  }

  private void renewNow(String reason) {
    synchronized (renewal) {
      R ending = current();
      if (ending == null) {
        return;
      }
      LOG.info("{}: {} restarts", reason, name);
      if (!end(ending, grace)) {
        LOG.warn("{}", unfinished());
      }
      synchronized (this) {
        if (run == ending) {
          run = null;
          beginIfDue();
        }
      }
    }
  }

  @Override
  public final void stop() {
    R ending = leave();
    settled = ending == null || end(ending, grace);
    if (!settled) {
      LOG.warn("{}", unfinished());
    }
  }

  /**
   * Whether nothing was left undone.
   *
   * @return false if the last stop took longer than the grace period
   */
  public final boolean isSettled() {
    return settled;
  }

  /** Without holding up others of its phase. */
  @Override
  public final void stop(Runnable callback) {
    Thread thread =
        new Thread(
            () -> {
              try {
                stop();
              } finally {
                callback.run();
              }
            },
            "waybill-" + name + "-stop");
    thread.start();
  }

  private synchronized @Nullable R leave() {
    running = false;
    R ending = run;
    run = null;
    return ending;
  }

  @Override
  public final synchronized boolean isRunning() {
    return running;
  }

  @Override
  public final int getPhase() {
    return phase;
  }
}

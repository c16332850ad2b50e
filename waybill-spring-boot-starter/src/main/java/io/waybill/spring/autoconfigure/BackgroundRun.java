package io.waybill.spring.autoconfigure;

import io.waybill.Supervisor;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of the relay or the inbox in the application, from its checks to its stop. It is
 * supervised on a thread of its own: a database or broker that is down delays nothing else.
 */
abstract class BackgroundRun implements Supervisor.Job, Supervisor.Watcher {
  private final Supervisor supervisor;
  private volatile @Nullable String refusal;

  /**
   * Prepares a life.
   *
   * @param what what it is
   * @param name its name
   * @param after what is done when it has failed
   */
  BackgroundRun(String what, String name, Supervisor.AfterFailure after) {
    this.supervisor = new Supervisor(what + " " + name, this, after, this);
  }

  /** Begins. */
  abstract void begun(Consumer<Throwable> failed);

  final void start() {
    supervisor.start();
  }

  /** Why it does not run, or null. */
  final @Nullable String refusal() {
    return refusal;
  }

  /** Stops; returns whether all work was settled in time. */
  final boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  @Override
  public final void begin(Consumer<Throwable> failed) {
    begun(failed);
    refusal = null;
  }

  @Override
  public void waits(String reason) {
    refusal = reason;
  }

  @Override
  public void gaveUp(Throwable cause) {
    // What was told last is the reason, and stays it.
  }
}

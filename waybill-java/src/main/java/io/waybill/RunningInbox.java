package io.waybill;

import io.waybill.inbox.Inbox;
import io.waybill.internal.start.Supervisor;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox from its checks to its stop. It is supervised on a separate thread: a database that does
 * not answer delays its start, and nothing else. Thread-safe.
 */
public final class RunningInbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningInbox.class);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Supplier<List<Finding>> checks;
  private final Supplier<Inbox> starting;
  private final Supervisor supervisor;
  private volatile @Nullable String refusal;
  private volatile @Nullable Inbox inbox;

  /**
   * Prepares an inbox.
   *
   * @param name name of the inbox, for logs and threads
   * @param checks looks at the broker's side; findings are warnings
   * @param starting starts the inbox
   */
  public RunningInbox(String name, Supplier<List<Finding>> checks, Supplier<Inbox> starting) {
    this.checks = checks;
    this.starting = starting;
    Run run = new Run();
    this.supervisor = new Supervisor("inbox " + name, run, Supervisor.AfterFailure.RESTART, run);
  }

  /** Starts the inbox on its own threads; returns before anything has been checked. */
  public void start() {
    supervisor.start();
  }

  /**
   * Why the inbox makes no progress.
   *
   * @return one sentence, empty if it does
   */
  public Optional<String> problem() {
    String reason = refusal;
    if (reason != null) {
      return Optional.of(reason);
    }
    Inbox running = inbox;
    return running == null ? Optional.of("the inbox has not started yet") : running.problem();
  }

  /**
   * Why the inbox does not run for now.
   *
   * @return one sentence, or null if it runs or is about to start
   */
  public @Nullable String refusal() {
    return refusal;
  }

  /**
   * Stops the inbox and its supervision.
   *
   * @param grace longest time to wait for handlers
   * @return whether no handler was left running
   */
  public boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  /** Stops within half a minute. */
  @Override
  public void close() {
    stop(GRACE);
  }

  /** The job that the supervisor keeps running. */
  private final class Run implements Supervisor.Job, Supervisor.Watcher {
    /**
     * Nothing that is found stops it: events without trouble need no dead letters, and a queue that
     * loses messages loses more of them while no one takes them.
     */
    @Override
    public @Nullable String check() {
      checks
          .get()
          .forEach(finding -> LOG.warn("{}; the inbox starts nevertheless", finding.text()));
      return null;
    }

    @Override
    public void begin(Consumer<Throwable> failed) {
      inbox = starting.get();
      refusal = null;
    }

    @Override
    public boolean end(Duration grace) {
      Inbox running = inbox;
      return running == null || running.stop(grace);
    }

    @Override
    public void waits(String reason) {
      refusal = reason;
    }

    @Override
    public void gaveUp(Throwable cause) {
      // The last reason stays.
    }
  }
}

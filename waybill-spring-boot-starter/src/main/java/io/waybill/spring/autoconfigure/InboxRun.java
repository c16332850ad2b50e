package io.waybill.spring.autoconfigure;

import io.waybill.Supervisor;
import io.waybill.inbox.Inbox;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One life of the inbox. */
final class InboxRun implements BackgroundRun, Supervisor.Job, Supervisor.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(InboxRun.class);

  private final ConsumingParts parts;
  private final Supervisor supervisor;
  private volatile @Nullable String refusal;
  private volatile @Nullable Inbox inbox;

  InboxRun(ConsumingParts parts) {
    this.parts = parts;
    this.supervisor =
        new Supervisor("inbox " + parts.consumer(), this, Supervisor.AfterFailure.RESTART, this);
  }

  @Override
  public void start() {
    supervisor.start();
  }

  @Override
  public @Nullable String refusal() {
    return refusal;
  }

  @Override
  public boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  /**
   * Nothing that is found stops it: events without trouble need no dead letters, and a queue that
   * loses messages loses more of them while nobody takes them.
   */
  @Override
  public @Nullable String check() {
    parts
        .findings()
        .forEach(finding -> LOG.warn("{}; the inbox starts nevertheless", Problems.text(finding)));
    return null;
  }

  @Override
  public void begin(Consumer<Throwable> failed) {
    inbox = parts.start();
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

  @Override
  public boolean end(Duration grace) {
    Inbox running = inbox;
    return running == null || running.stop(grace);
  }

  /** Why it makes no progress. */
  Optional<String> problem() {
    String reason = refusal;
    if (reason != null) {
      return Optional.of(reason);
    }
    Inbox running = inbox;
    return running == null ? Optional.of("the inbox has not started yet") : running.problem();
  }
}

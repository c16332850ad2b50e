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
final class InboxRun extends BackgroundRun {
  private static final Logger LOG = LoggerFactory.getLogger(InboxRun.class);

  private final ConsumingParts parts;
  private volatile @Nullable Inbox inbox;

  InboxRun(ConsumingParts parts) {
    super("inbox", parts.consumer(), Supervisor.AfterFailure.RESTART);
    this.parts = parts;
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
  void begun(Consumer<Throwable> failed) {
    inbox = parts.start();
  }

  @Override
  public boolean end(Duration grace) {
    Inbox running = inbox;
    return running == null || running.stop(grace);
  }

  /** Why it makes no progress. */
  Optional<String> problem() {
    String refusal = refusal();
    if (refusal != null) {
      return Optional.of(refusal);
    }
    Inbox running = inbox;
    return running == null ? Optional.of("the inbox has not started yet") : running.problem();
  }
}

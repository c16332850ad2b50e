package io.waybill.spring.autoconfigure;

import io.waybill.RunningInbox;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One life of the inbox. */
record InboxRun(RunningInbox inbox) implements BackgroundRun {
  static InboxRun of(ConsumingParts parts) {
    return new InboxRun(new RunningInbox(parts.consumer(), parts::findings, parts::start));
  }

  @Override
  public void start() {
    inbox.start();
  }

  @Override
  public @Nullable String refusal() {
    return inbox.refusal();
  }

  @Override
  public boolean stop(Duration grace) {
    return inbox.stop(grace);
  }

  /** Why it makes no progress. */
  Optional<String> problem() {
    return inbox.problem();
  }
}

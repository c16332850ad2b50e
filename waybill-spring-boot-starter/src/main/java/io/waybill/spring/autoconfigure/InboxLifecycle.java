package io.waybill.spring.autoconfigure;

import java.util.List;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/** The inbox in the application's life cycle; its stop comes first. Thread-safe. */
public final class InboxLifecycle extends BackgroundLifecycle {
  private final ConsumingParts parts;

  InboxLifecycle(ConsumingParts parts) {
    super(
        parts.consumer(),
        parts.properties().lifecycle().gracePeriod(),
        parts.properties().lifecycle().phase(),
        ApplicationReadyEvent.class);
    this.parts = parts;
  }

  /**
   * Why the inbox makes no progress.
   *
   * @return reasons, empty if it does
   */
  public List<String> unready() {
    return current() instanceof InboxRun run
        ? run.problem().stream().toList()
        : List.of("the inbox does not run");
  }

  @Override
  BackgroundRun fresh() {
    return new InboxRun(parts);
  }

  @Override
  String unfinished() {
    return "The inbox was stopped while handlers ran; their events come again";
  }
}

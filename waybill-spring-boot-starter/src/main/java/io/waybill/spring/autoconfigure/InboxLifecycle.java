package io.waybill.spring.autoconfigure;

import io.waybill.RunningInbox;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/** The inbox in the application's life cycle; it stops first. Thread-safe. */
public final class InboxLifecycle extends BackgroundLifecycle<RunningInbox> {
  private final ConsumingParts parts;
  private final Supplier<ConsumingParts.From> from;

  /**
   * Prepares.
   *
   * @param from reads the broker's settings, anew for each life
   */
  InboxLifecycle(ConsumingParts parts, Supplier<ConsumingParts.From> from) {
    super(
        parts.consumer(),
        parts.properties().lifecycle().gracePeriod(),
        parts.properties().lifecycle().phase(),
        ApplicationReadyEvent.class);
    this.parts = parts;
    this.from = from;
  }

  /**
   * Why the inbox makes no progress.
   *
   * @return reasons, empty if it does
   */
  public List<String> unready() {
    RunningInbox run = current();
    return run == null ? List.of("the inbox does not run") : run.problem().stream().toList();
  }

  @Override
  RunningInbox begin() {
    ConsumingParts fresh = parts.with(from.get());
    RunningInbox inbox = new RunningInbox(fresh.consumer(), fresh::findings, fresh::start);
    inbox.start();
    return inbox;
  }

  @Override
  boolean end(RunningInbox inbox, Duration grace) {
    return inbox.stop(grace);
  }

  @Override
  String unfinished() {
    return "The inbox was stopped while handlers ran; their events are delivered again";
  }
}

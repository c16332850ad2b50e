package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Meters of what every event of a topic or queue counts in, looked up once. */
final class SourceMeters {
  // From a trivial effect to a handler at its time limit.
  private static final Duration[] WORK =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  // Those of Decoded.Undecodable, of the plans and of failures.
  private static final List<String> REASONS =
      List.of(
          "permanent-failure",
          "attempts-exhausted",
          "unknown-type",
          "redriven-for-another",
          "no-event-id",
          "bad-event-id",
          "no-event-type",
          "bad-event-type",
          "bad-event-version");

  final Counter duplicates;
  final Counter ignored;
  final Counter retried;
  final Counter isolated;
  final Counter failed;
  final Counter behind;
  final Counter refused;
  final Counter passedOver;
  final Counter lettersWithoutBody;
  final Counter lettersFailed;
  private final MeterRegistry registry;
  private final Tags tags;
  private final Counter handled;
  private final Timer transaction;
  private final Timer deliveryToCommit;

  SourceMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    handled = counter("handled", "Events handled, their transaction committed", tags);
    duplicates = counter("duplicates", "Copies of processed events, dropped", tags);
    ignored = counter("ignored", "Events without handler, acknowledged unseen", tags);
    retried = counter("retried", "Failures retried in place", tags);
    isolated =
        counter(
            "isolated",
            "Events handled alone because they were in progress when a process died",
            tags);
    failed = counter("deferred", "Events deferred", tags.and("cause", "failed"));
    behind = counter("deferred", "Events deferred", tags.and("cause", "behind"));
    refused = counter("refused", "Times that the database refused an event", tags);
    passedOver = counter("passed.over", "Events redriven for others, acknowledged unseen", tags);
    lettersWithoutBody =
        counter(
            "dead.letters.without.body",
            "Dead letters that were rejected with their body and sent without it",
            tags);
    lettersFailed = counter("dead.letters.failed", "Dead letters not confirmed", tags);
    transaction = timer("transaction", "Transactions, the handler included");
    deliveryToCommit =
        timer("delivery.to.commit", "From the delivery to the end of the transaction");
    REASONS.forEach(this::deadLettered);
  }

  void handled(InboxEvent.Handled event) {
    transaction.record(event.handlerMicros(), TimeUnit.MICROSECONDS);
    deliveryToCommit.record(event.waitMicros(), TimeUnit.MICROSECONDS);
    handled.increment();
  }

  /** Reasons are classes of the code, and few. */
  Counter deadLettered(String reason) {
    return counter(
        "dead.lettered",
        "Events dead-lettered, their dead letter confirmed",
        tags.and("reason", reason));
  }

  private Counter counter(String name, String description, Tags all) {
    return Counter.builder("waybill.inbox." + name)
        .description(description)
        .tags(all)
        .register(registry);
  }

  private Timer timer(String name, String description) {
    return Timer.builder("waybill.inbox." + name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(WORK)
        .register(registry);
  }
}

package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Meters of what every event of a topic or queue counts in, looked up once. */
final class SourceMeters {
  // From a trivial effect to a handler at its time limit.
  private static final Duration[] WORK =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  final Counter duplicates;
  final Counter ignored;
  private final Counter handled;
  private final Timer handler;
  private final Timer wait;

  SourceMeters(MeterRegistry registry, Tags tags) {
    handled = counter(registry, tags, "handled", "Events handled, their transaction committed");
    duplicates = counter(registry, tags, "duplicates", "Copies of processed events, dropped");
    ignored = counter(registry, tags, "ignored", "Events without handler, acknowledged unseen");
    handler = timer(registry, tags, "handler", "Transactions, the handler included");
    wait = timer(registry, tags, "wait", "From the delivery to the end of the transaction");
  }

  void handled(InboxEvent.Handled event) {
    handler.record(event.handlerMicros(), TimeUnit.MICROSECONDS);
    wait.record(event.waitMicros(), TimeUnit.MICROSECONDS);
    handled.increment();
  }

  private static Counter counter(
      MeterRegistry registry, Tags tags, String name, String description) {
    return Counter.builder("waybill.inbox." + name)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static Timer timer(MeterRegistry registry, Tags tags, String name, String description) {
    return Timer.builder("waybill.inbox." + name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(WORK)
        .register(registry);
  }
}

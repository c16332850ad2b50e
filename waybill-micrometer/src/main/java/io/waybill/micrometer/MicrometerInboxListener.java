package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Meters for one inbox. All carry the tag {@code consumer}; counters and timers about events carry
 * {@code source} too, with at most 200 different values (the rest share {@code other}).
 *
 * <p>Counters {@code waybill.inbox.handled | duplicates | ignored | retried | deferred |
 * dead.lettered | dead.letters.failed | store.failures | handlers.stuck | swept}; histograms {@code
 * waybill.inbox.handler} (a transaction, the handler included), {@code waybill.inbox.wait} (from
 * the delivery to the end of the transaction) and {@code waybill.inbox.duplicate.age} (duplicates
 * by the age since their first sight); gauges {@code waybill.inbox.events | bytes | running | lanes
 * | lanes.held | lanes.stopped | lag}. Nothing asks database or broker.
 *
 * <p>Thread-safe.
 */
public final class MicrometerInboxListener implements InboxListener {
  private static final int MOST_SOURCES = 200;
  // From a trivial effect to a handler at its time limit.
  private static final Duration[] WORK =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);
  // Up to the default dedupe window and beyond: what comes later than the window is applied again.
  private static final Duration[] AGES =
      LongStream.of(1, 60, 600, 3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600)
          .mapToObj(Duration::ofSeconds)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names = new BoundedNames(MOST_SOURCES);
  private final InboxGauges gauges;

  /**
   * Registers the meters.
   *
   * @param registry where they go
   * @param consumer name of the consumer, value of the tag {@code consumer}
   */
  public MicrometerInboxListener(MeterRegistry registry, String consumer) {
    this.registry = registry;
    this.tags = Tags.of("consumer", consumer);
    this.gauges = new InboxGauges(registry, tags);
  }

  @Override
  public void on(InboxEvent event) {
    // The frequent ones first.
    if (event instanceof InboxEvent.Handled handled) {
      handled(handled);
    } else if (event instanceof InboxEvent.Duplicate duplicate) {
      duplicate(duplicate);
    } else if (event instanceof InboxEvent.Ignored ignored) {
      counter("ignored", "Events without handler, acknowledged unseen", ignored.about());
    } else if (event instanceof InboxEvent.Gauges last) {
      gauges.last(last);
    } else if (event instanceof InboxEvent.Lag lag) {
      gauges.lag(lag);
    } else {
      failure(event);
    }
  }

  private void handled(InboxEvent.Handled event) {
    Tags of = tags.and("source", names.of(event.about().source()));
    Timer.builder("waybill.inbox.handler")
        .description("Transactions, the handler included")
        .tags(of)
        .serviceLevelObjectives(WORK)
        .register(registry)
        .record(event.handlerMicros(), TimeUnit.MICROSECONDS);
    Timer.builder("waybill.inbox.wait")
        .description("From the delivery to the end of the transaction")
        .tags(of)
        .serviceLevelObjectives(WORK)
        .register(registry)
        .record(event.waitMicros(), TimeUnit.MICROSECONDS);
    counter("handled", "Events handled, their transaction committed", event.about());
  }

  private void duplicate(InboxEvent.Duplicate event) {
    Timer.builder("waybill.inbox.duplicate.age")
        .description("Duplicates by the age since their first sight")
        .tags(tags)
        .serviceLevelObjectives(AGES)
        .register(registry)
        .record(event.age());
    counter("duplicates", "Copies of processed events, dropped", event.about());
  }

  private void failure(InboxEvent event) {
    if (event instanceof InboxEvent.Retried retried) {
      counter("retried", "Failures tried again in place", retried.about());
    } else if (event instanceof InboxEvent.Deferred deferred) {
      builder("deferred", "Events put off", deferred.about())
          .tag("cause", deferred.attempts() == 0 ? "behind" : "failed")
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.DeadLettered dead) {
      builder("dead.lettered", "Events given up, their letter confirmed", dead.about())
          .tag("reason", dead.reason())
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.DeadLetterFailed failed) {
      counter("dead.letters.failed", "Dead letters not confirmed", failed.about());
    } else if (event instanceof InboxEvent.StoreFailed failed) {
      Counter.builder("waybill.inbox.store.failures")
          .description("Failures of the database")
          .tags(tags.and("transient", Boolean.toString(failed.transientFailure())))
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.HandlerStuck) {
      plain("handlers.stuck", "Threads left behind in their handler").increment();
    } else if (event instanceof InboxEvent.Swept swept) {
      plain("swept", "Rows of processed events deleted by age").increment(swept.rows());
    }
  }

  private Counter plain(String name, String description) {
    return Counter.builder("waybill.inbox." + name)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void counter(String name, String description, InboxEvent.About about) {
    builder(name, description, about).register(registry).increment();
  }

  private Counter.Builder builder(String name, String description, InboxEvent.About about) {
    return Counter.builder("waybill.inbox." + name)
        .description(description)
        .tags(tags.and("source", names.of(about.source())));
  }
}

package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * Meters for one inbox. All carry the tag {@code consumer}; counters and timers about events carry
 * {@code source} too, with at most 200 different values (the rest share {@code other}).
 *
 * <p>Counters {@code waybill.inbox.handled | duplicates | ignored | passed.over | retried |
 * isolated | deferred | dead.lettered | dead.letters.failed | dead.letters.without.body |
 * store.failures | handlers.stuck | swept}; histograms {@code waybill.inbox.handler} (a
 * transaction, the handler included), {@code waybill.inbox.wait} (from the delivery to the end of
 * the transaction) and {@code waybill.inbox.duplicate.age} (duplicates by the age since their first
 * sight); gauges {@code waybill.inbox.events | bytes | running | lanes | lanes.held | lanes.stopped
 * | lag | deferred.waiting | threads.stuck | workers.missing}. Nothing here asks database or
 * broker.
 *
 * <p>Thread-safe.
 */
public final class MicrometerInboxListener implements InboxListener {
  private static final int MOST_SOURCES = 200;
  // Up to the default dedupe window and beyond: what comes later than the window is applied again.
  private static final Duration[] AGES =
      LongStream.of(1, 60, 600, 3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600)
          .mapToObj(Duration::ofSeconds)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names = new BoundedNames(MOST_SOURCES);
  private final Map<String, SourceMeters> sources = new ConcurrentHashMap<>();
  private final Timer ages;
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
    this.ages =
        Timer.builder("waybill.inbox.duplicate.age")
            .description("Duplicates by the age since their first sight")
            .tags(tags)
            .serviceLevelObjectives(AGES)
            .register(registry);
    this.gauges = new InboxGauges(registry, tags);
  }

  @Override
  public void on(InboxEvent event) {
    // The frequent ones first.
    if (event instanceof InboxEvent.Handled handled) {
      of(handled.about()).handled(handled);
    } else if (event instanceof InboxEvent.Duplicate duplicate) {
      duplicate(duplicate);
    } else if (event instanceof InboxEvent.Ignored ignored) {
      of(ignored.about()).ignored.increment();
    } else if (event instanceof InboxEvent.Gauges last) {
      gauges.last(last);
    } else if (event instanceof InboxEvent.Lag lag) {
      gauges.lag(lag);
    } else if (event instanceof InboxEvent.Open open) {
      gauges.open(open);
    } else if (event instanceof InboxEvent.Waiting waiting) {
      gauges.waiting(waiting);
    } else if (event instanceof InboxEvent.Threads threads) {
      gauges.threads(threads);
    } else {
      failure(event);
    }
  }

  private SourceMeters of(InboxEvent.About about) {
    // Keyed by the bounded name, so that the map is bounded as well.
    return sources.computeIfAbsent(
        names.of(about.source()), source -> new SourceMeters(registry, tags.and("source", source)));
  }

  private void duplicate(InboxEvent.Duplicate event) {
    ages.record(event.age());
    of(event.about()).duplicates.increment();
  }

  private void failure(InboxEvent event) {
    if (event instanceof InboxEvent.Retried retried) {
      counter("retried", "Failures tried again in place", retried.about());
    } else if (event instanceof InboxEvent.Isolated isolated) {
      counter("isolated", "Events handled alone, since a process died of one", isolated.about());
    } else if (event instanceof InboxEvent.Deferred deferred) {
      builder("deferred", "Events put off", deferred.about())
          .tag("cause", deferred.attempts() == 0 ? "behind" : "failed")
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.Refused refused) {
      counter("refused", "Times that the database did not take an event", refused.about());
    } else if (event instanceof InboxEvent.DeadLettered dead) {
      builder("dead.lettered", "Events given up, their letter confirmed", dead.about())
          .tag("reason", dead.reason())
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.PassedOver passed) {
      counter("passed.over", "Events redriven for others, acknowledged unseen", passed.about());
    } else if (event instanceof InboxEvent.LetterWithoutBody without) {
      counter(
          "dead.letters.without.body",
          "Dead letters that were rejected with their body and went without it",
          without.about());
    } else if (event instanceof InboxEvent.DeadLetterFailed failed) {
      counter("dead.letters.failed", "Dead letters not confirmed", failed.about());
    } else if (event instanceof InboxEvent.StoreFailed failed) {
      Counter.builder("waybill.inbox.store.failures")
          .description("Failures of the database")
          .tags(tags.and("transient", Boolean.toString(failed.transientFailure())))
          .register(registry)
          .increment();
    } else if (event instanceof InboxEvent.DatabaseChanged changed) {
      plain("database.changes", "Times that the database was another server, or set back")
          .increment();
      plain("database.lost", "Events acknowledged that a database was found to lack")
          .increment(changed.lost().size());
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

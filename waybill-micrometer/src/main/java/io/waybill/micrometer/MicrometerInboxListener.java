package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.internal.observe.BoundedNames;
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
 * isolated | deferred | refused | dead.lettered | dead.letters.failed | dead.letters.without.body |
 * store.failures | database.changes | database.lost | handlers.stuck | purged}; histograms {@code
 * waybill.inbox.transaction} (the handler included), {@code waybill.inbox.delivery.to.commit} (from
 * the delivery to the end of the transaction) and {@code waybill.inbox.duplicate.age} (the age of
 * duplicates since their first sight); gauges {@code waybill.inbox.buffered | memory | transactions
 * | lanes | lanes.held | lanes.stopped | lag | oldest.open.age | deferred.waiting | threads.stuck |
 * workers.missing}. No meter queries database or broker.
 *
 * <p>Counters begin at 0: those of a source when the listener receives its first event.
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
  private final Counter transientFailures;
  private final Counter permanentFailures;
  private final Counter databaseChanges;
  private final Counter databaseLost;
  private final Counter handlersStuck;
  private final Counter purged;

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
    this.transientFailures = storeFailures(true);
    this.permanentFailures = storeFailures(false);
    this.databaseChanges =
        plain(
            "database.changes",
            "Times that the database was another server or had been reset to an earlier state",
            tags);
    this.databaseLost =
        plain("database.lost", "Acknowledged events that a database turned out to lack", tags);
    this.handlersStuck = plain("handlers.stuck", "Threads abandoned in their handlers", tags);
    this.purged = plain("purged", "Rows of processed events deleted by age", tags);
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
    if (event instanceof InboxEvent.OfEvent ofEvent) {
      ofEvent(of(ofEvent.about()), ofEvent);
    } else if (event instanceof InboxEvent.StoreFailed failed) {
      (failed.transientFailure() ? transientFailures : permanentFailures).increment();
    } else if (event instanceof InboxEvent.DatabaseChanged changed) {
      databaseChanges.increment();
      databaseLost.increment(changed.lost().size());
    } else if (event instanceof InboxEvent.HandlerStuck) {
      handlersStuck.increment();
    } else if (event instanceof InboxEvent.Purged rows) {
      purged.increment(rows.rows());
    }
  }

  private static void ofEvent(SourceMeters meters, InboxEvent.OfEvent event) {
    if (event instanceof InboxEvent.Retried) {
      meters.retried.increment();
    } else if (event instanceof InboxEvent.Isolated) {
      meters.isolated.increment();
    } else if (event instanceof InboxEvent.Deferred deferred) {
      (deferred.attempts() == 0 ? meters.behind : meters.failed).increment();
    } else if (event instanceof InboxEvent.Refused) {
      meters.refused.increment();
    } else if (event instanceof InboxEvent.DeadLettered dead) {
      meters.deadLettered(dead.reason()).increment();
    } else if (event instanceof InboxEvent.PassedOver) {
      meters.passedOver.increment();
    } else if (event instanceof InboxEvent.DeadLetterWithoutBody) {
      meters.lettersWithoutBody.increment();
    } else if (event instanceof InboxEvent.DeadLetterFailed) {
      meters.lettersFailed.increment();
    }
  }

  private Counter storeFailures(boolean passing) {
    return plain(
        "store.failures",
        "Failures of the database",
        tags.and("transient", Boolean.toString(passing)));
  }

  private Counter plain(String name, String description, Tags all) {
    return Counter.builder("waybill.inbox." + name)
        .description(description)
        .tags(all)
        .register(registry);
  }
}

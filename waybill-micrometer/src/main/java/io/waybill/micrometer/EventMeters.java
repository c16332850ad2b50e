package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waybill.observe.RelayEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters of what became of events. */
final class EventMeters {
  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names;
  private final Counter written;
  private final Counter held;
  private final Map<String, Counter> published = new ConcurrentHashMap<>();

  EventMeters(MeterRegistry registry, Tags tags, BoundedNames names) {
    this.registry = registry;
    this.tags = tags;
    this.names = names;
    written =
        Counter.builder("waybill.events.written")
            .description("Committed events that this relay read")
            .tags(tags)
            .register(registry);
    held =
        Counter.builder("waybill.events.held")
            .description("Events put behind a blocked key or a paused destination")
            .tags(tags)
            .register(registry);
  }

  void read(RelayEvent.Read read) {
    if (read.rows() > 0) {
      written.increment(read.rows());
    }
  }

  void published(RelayEvent.Published event) {
    // Keyed by the bounded name, so that the map is bounded as well.
    published.computeIfAbsent(names.of(event.destination()), this::publishedCounter).increment();
  }

  void retried(RelayEvent.Retried event) {
    failure("waybill.events.retried", "Failed attempts that will be repeated", event.failure())
        .tag("outcome", event.definite() ? "rejected" : "unknown")
        .register(registry)
        .increment();
  }

  void parked(RelayEvent.Parked event) {
    failure("waybill.events.parked", "Events parked with their key", event.failure())
        .register(registry)
        .increment();
  }

  void dead(RelayEvent.Dead event) {
    failure("waybill.events.dead", "Events given up", event.failure())
        .tag("dead_lettered", Boolean.toString(event.deadLettered()))
        .register(registry)
        .increment();
  }

  void held(RelayEvent.Held event) {
    held.increment(event.rows());
  }

  private Counter publishedCounter(String destination) {
    return Counter.builder("waybill.events.published")
        .description("Events confirmed by the broker and marked in the database")
        .tags(tags.and("destination", destination))
        .register(registry);
  }

  private Counter.Builder failure(String name, String description, RelayEvent.Failure failure) {
    return Counter.builder(name)
        .description(description)
        .tags(tags.and("destination", names.of(failure.destination())));
  }
}

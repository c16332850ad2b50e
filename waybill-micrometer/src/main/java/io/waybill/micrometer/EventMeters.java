package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.observe.RelayEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters of what became of events. */
final class EventMeters {
  private static final String NOWHERE = "";

  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names;
  private final Counter read;
  private final Counter held;
  private final Counter unordered;
  private final Map<String, Counter> published = new ConcurrentHashMap<>();
  private final Map<String, Failures> failures = new ConcurrentHashMap<>();

  EventMeters(MeterRegistry registry, Tags tags, BoundedNames names) {
    this.registry = registry;
    this.tags = tags;
    this.names = names;
    read = counter("read", "Committed events that this relay read", tags);
    held = counter("held", "Events held behind a blocked key or a paused destination", tags);
    unordered =
        counter(
            "unordered", "Pairs of events of one key whose order the table left to chance", tags);
    // Events without a route: the first of them is counted from 0.
    failures.put(NOWHERE, new Failures(NOWHERE));
  }

  void orderedByChance(RelayEvent.OrderedByChance event) {
    unordered.increment(event.pairs());
  }

  void read(RelayEvent.Read event) {
    if (event.rows() > 0) {
      read.increment(event.rows());
    }
  }

  void published(RelayEvent.Published event) {
    // Keyed by the bounded name, so that the map is bounded as well.
    published.computeIfAbsent(names.of(event.destination()), this::publishedCounter).increment();
  }

  void retried(RelayEvent.Retried event) {
    Failures counters = of(event.failure());
    (event.definite() ? counters.rejected : counters.unknown).increment();
  }

  void parked(RelayEvent.Parked event) {
    of(event.failure()).parked.increment();
  }

  void dead(RelayEvent.Dead event) {
    Failures counters = of(event.failure());
    (event.deadLettered() ? counters.deadLettered : counters.dead).increment();
  }

  void held(RelayEvent.Held event) {
    held.increment(event.rows());
  }

  private Counter publishedCounter(String destination) {
    failures.computeIfAbsent(destination, Failures::new);
    return counter(
        "published",
        "Events confirmed by the broker and marked in the database",
        tags.and("destination", destination));
  }

  private Failures of(RelayEvent.Failure failure) {
    String destination = failure.destination();
    return failures.computeIfAbsent(
        destination.isEmpty() ? NOWHERE : names.of(destination), Failures::new);
  }

  /** The counters of a destination's failures, all of them from 0. */
  private final class Failures {
    private final Counter rejected;
    private final Counter unknown;
    private final Counter parked;
    private final Counter dead;
    private final Counter deadLettered;

    Failures(String destination) {
      Tags where = tags.and("destination", destination);
      String again = "Failed attempts that will be repeated";
      rejected = counter("retried", again, where.and("outcome", "rejected"));
      unknown = counter("retried", again, where.and("outcome", "unknown"));
      parked = counter("parked", "Events parked with their key", where);
      dead = counter("dead", "Events declared dead", where.and("dead.lettered", "false"));
      deadLettered = counter("dead", "Events declared dead", where.and("dead.lettered", "true"));
    }
  }

  private Counter counter(String name, String description, Tags all) {
    return Counter.builder("waybill.events." + name)
        .description(description)
        .tags(all)
        .register(registry);
  }
}

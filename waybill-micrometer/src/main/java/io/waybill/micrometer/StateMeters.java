package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.observe.RelayEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Gauges of where the relay stands. They read what it last told. */
final class StateMeters {
  private static final RelayEvent.Gauges NOTHING = new RelayEvent.Gauges(0, 0, 0, 0, 0, 0, 0);

  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names;
  private final AtomicReference<RelayEvent.Gauges> last = new AtomicReference<>(NOTHING);
  private final AtomicInteger lanesOwned = new AtomicInteger();
  private final AtomicInteger lanes = new AtomicInteger();
  private final AtomicInteger relays = new AtomicInteger();
  private final AtomicInteger available = new AtomicInteger(1);
  private final Map<String, AtomicInteger> breakers = new ConcurrentHashMap<>();
  private final AtomicReference<RelayEvent.Backlog> backlog =
      new AtomicReference<>(new RelayEvent.Backlog(0, 0, 0, 1));
  private final Counter fenced;
  private final Counter ended;
  private final Timer endedSessions;
  private final Timer endedLeases;
  private final Counter transientFailures;
  private final Counter permanentFailures;

  StateMeters(MeterRegistry registry, Tags tags, BoundedNames names) {
    this.registry = registry;
    this.tags = tags;
    this.names = names;
    gauge("in.flight", "events", "Events sent and not yet confirmed", g -> g.inFlightRows());
    gauge("memory", "bytes", "Events in memory", g -> g.inFlightBytes());
    gauge("unsettled", "events", "Events confirmed, not yet marked", g -> g.unsettledRows());
    gauge("keys.blocked", null, "Keys blocked by a failed event", g -> g.blockedKeys());
    gauge(
        "keys.resting",
        "bytes",
        "Memory of blocked keys beyond those kept at hand",
        g -> g.restingBytes());
    gauge(
        "oldest.unpublished.age",
        "seconds",
        "Age of the oldest waiting event, those behind a blocked key included",
        g -> g.oldestUnpublishedMillis() / 1000.0);
    number("waybill.lanes.owned", "Lanes that this relay owns", lanesOwned);
    number("waybill.lanes", "Lanes of the outbox", lanes);
    number("waybill.relays", "Living relays of the outbox", relays);
    number("waybill.publisher.available", "1 if the broker accepts messages, else 0", available);
    backlog(
        "parked", "events", "Events that wait for an operator, at most 100,000", b -> b.parked());
    backlog("dead", "events", "Dead events, at most 100,000", b -> b.dead());
    backlog("held", "events", "Events behind a blocked key, at most 100,000", b -> b.held());
    backlog(
        "bounded",
        null,
        "1 if a number of the backlog has met its bound, else 0",
        StateMeters::met);
    fenced = counter("waybill.relay.fenced", "How often this relay was replaced");
    ended = counter("waybill.relay.failures", "How often the relay ended because a part failed");
    endedSessions = takeOvers("session-ended");
    endedLeases = takeOvers("lease-ended");
    transientFailures = storeFailures(true);
    permanentFailures = storeFailures(false);
  }

  private static double met(RelayEvent.Backlog backlog) {
    long most = Math.max(backlog.parked(), Math.max(backlog.dead(), backlog.held()));
    return most >= backlog.most() ? 1 : 0;
  }

  void backlog(RelayEvent.Backlog told) {
    backlog.set(told);
  }

  void ended(RelayEvent.Ended event) {
    left();
    if (event.failure() != null) {
      ended.increment();
    }
  }

  private void backlog(
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<RelayEvent.Backlog> value) {
    Gauge.builder("waybill.backlog." + name, backlog, last -> value.applyAsDouble(last.get()))
        .baseUnit(unit)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  void gauges(RelayEvent.Gauges gauges) {
    last.set(gauges);
    lanesOwned.set(gauges.lanesOwned());
  }

  void lanes(RelayEvent.LanesViewed view) {
    lanesOwned.set(view.owned());
    lanes.set(view.lanes());
    relays.set(view.sessions());
  }

  void lanes(RelayEvent.LanesChanged change) {
    lanesOwned.set(change.owned());
  }

  /** What waits still waits: its age goes on when the relay, or another one, does. */
  void left() {
    last.updateAndGet(known -> NOTHING.orOlder(known.oldestUnpublishedMillis()));
    lanesOwned.set(0);
  }

  void fenced() {
    fenced.increment();
    left();
  }

  private Timer takeOvers(String cause) {
    return Timer.builder("waybill.relay.takeovers")
        .description("Dead relays that this one found, and how long they had been silent")
        .tags(tags.and("cause", cause))
        .register(registry);
  }

  void takenOver(RelayEvent.TakenOver dead) {
    (dead.sessionEnded() ? endedSessions : endedLeases)
        .record(Duration.ofMillis(dead.silentMillis()));
  }

  void available(boolean yes) {
    available.set(yes ? 1 : 0);
  }

  void storeFailed(RelayEvent.StoreFailed event) {
    (event.transientFailure() ? transientFailures : permanentFailures).increment();
  }

  private Counter storeFailures(boolean passing) {
    return Counter.builder("waybill.store.failures")
        .description("Failed database calls")
        .tags(tags.and("transient", Boolean.toString(passing)))
        .register(registry);
  }

  void breaker(RelayEvent.BreakerChanged event) {
    breakers
        .computeIfAbsent(names.of(event.destination()), this::breaker)
        .set(
            switch (event.state()) {
              case CLOSED -> 0;
              case PROBING -> 1;
              case OPEN -> 2;
              case PAUSED -> 3;
            });
  }

  private AtomicInteger breaker(String destination) {
    AtomicInteger state = new AtomicInteger();
    Gauge.builder("waybill.breaker.state", state, AtomicInteger::get)
        .description("0 closed, 1 probing, 2 open, 3 paused by an operator")
        .tags(tags.and("destination", destination))
        .strongReference(true)
        .register(registry);
    return state;
  }

  private void gauge(
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<RelayEvent.Gauges> value) {
    Gauge.builder("waybill." + name, last, reference -> value.applyAsDouble(reference.get()))
        .baseUnit(unit)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  private void number(String name, String description, AtomicInteger value) {
    Gauge.builder(name, value, AtomicInteger::get)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }
}

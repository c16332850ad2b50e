package io.waybill.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waybill.observe.RelayEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/** Gauges of where the relay stands. They read what it last told, never the database. */
final class StateMeters {
  private static final RelayEvent.Gauges NOTHING = new RelayEvent.Gauges(0, 0, 0, 0, 0, 0);

  private final MeterRegistry registry;
  private final Tags tags;
  private final BoundedNames names;
  private final AtomicReference<RelayEvent.Gauges> last = new AtomicReference<>(NOTHING);
  private final AtomicInteger lanesOwned = new AtomicInteger();
  private final AtomicInteger lanes = new AtomicInteger();
  private final AtomicInteger relays = new AtomicInteger();
  private final AtomicInteger available = new AtomicInteger(1);
  private final Map<String, AtomicInteger> breakers = new ConcurrentHashMap<>();
  private final Counter fenced;

  StateMeters(MeterRegistry registry, Tags tags, BoundedNames names) {
    this.registry = registry;
    this.tags = tags;
    this.names = names;
    gauge("waybill.in.flight.rows", "Events sent and not yet confirmed", g -> g.inFlightRows());
    gauge("waybill.in.flight.bytes", "Bytes of all rows in memory", g -> g.inFlightBytes());
    gauge("waybill.unsettled.rows", "Events confirmed, not yet marked", g -> g.unsettledRows());
    gauge("waybill.keys.blocked", "Keys behind a failed event", g -> g.blockedKeys());
    gauge(
        "waybill.oldest.unpublished.age.seconds",
        "Age of the oldest event that waits to be published",
        g -> g.oldestUnpublishedMillis() / 1000.0);
    number("waybill.lanes.owned", "Lanes that this relay owns", lanesOwned);
    number("waybill.lanes", "Lanes of the outbox", lanes);
    number("waybill.relays", "Living relays of the outbox", relays);
    number("waybill.publisher.available", "1 if the broker takes messages, else 0", available);
    fenced = counter("waybill.relay.fenced", "How often this relay was replaced");
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

  void left() {
    last.set(NOTHING);
    lanesOwned.set(0);
  }

  void fenced() {
    fenced.increment();
    left();
  }

  void available(boolean yes) {
    available.set(yes ? 1 : 0);
  }

  void storeFailed(RelayEvent.StoreFailed event) {
    Counter.builder("waybill.store.failures")
        .description("Failed database calls")
        .tags(tags.and("transient", Boolean.toString(event.transientFailure())))
        .register(registry)
        .increment();
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

  private void gauge(String name, String description, ToDoubleFunction<RelayEvent.Gauges> value) {
    Gauge.builder(name, last, reference -> value.applyAsDouble(reference.get()))
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

package io.waybill.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.waybill.observe.InboxEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Gauges of where an inbox stands. They read what it last told. */
final class InboxGauges {
  private final MeterRegistry registry;
  private final Tags tags;
  private final AtomicReference<InboxEvent.Gauges> last =
      new AtomicReference<>(new InboxEvent.Gauges(0, 0, 0, 0, 0, 0));
  private final AtomicReference<Map<String, Long>> lag = new AtomicReference<>(Map.of());

  private final AtomicLong waiting = new AtomicLong();
  private final AtomicReference<InboxEvent.Threads> threads =
      new AtomicReference<>(new InboxEvent.Threads(0, 0));
  private final MultiGauge open;

  InboxGauges(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    gauge("buffered", "events", "Deliveries in memory", last, g -> g.events());
    gauge("memory", "bytes", "Deliveries in memory", last, g -> g.bytes());
    gauge("transactions", null, "Running transactions", last, g -> g.running());
    gauge("lanes", null, "Lanes assigned", last, g -> g.lanes());
    gauge("lanes.held", null, "Lanes held to bound the memory", last, g -> g.lanesHeld());
    gauge(
        "lanes.stopped",
        null,
        "Lanes stopped by an event without handler",
        last,
        g -> g.lanesStopped());
    gauge("threads.stuck", null, "Threads abandoned in their handlers", threads, t -> t.stuck());
    gauge(
        "workers.missing",
        null,
        "Workers that are not replaced because of abandoned threads",
        threads,
        t -> t.workersMissing());
    open =
        MultiGauge.builder("waybill.inbox.oldest.open.age")
            .baseUnit("seconds")
            .description("Time since the delivery of the oldest unfinished message of a lane")
            .tags(tags)
            .register(registry);
    Gauge.builder("waybill.inbox.lag", lag, InboxGauges::sum)
        .baseUnit("messages")
        .description("Undelivered messages of all lanes")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    Gauge.builder("waybill.inbox.deferred.waiting", waiting, AtomicLong::get)
        .baseUnit("events")
        .description("Events in the table of deferred events, over all processes of the consumer")
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  void open(InboxEvent.Open event) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    event
        .lanes()
        .forEach(
            (lane, age) ->
                rows.add(MultiGauge.Row.of(Tags.of("lane", lane), age.toMillis() / 1e3)));
    open.register(rows, true);
  }

  void last(InboxEvent.Gauges gauges) {
    last.set(gauges);
  }

  void threads(InboxEvent.Threads event) {
    threads.set(event);
  }

  void waiting(InboxEvent.Waiting event) {
    waiting.set(event.events());
  }

  void lag(InboxEvent.Lag event) {
    lag.set(event.lanes());
  }

  private static double sum(AtomicReference<Map<String, Long>> lanes) {
    return Objects.requireNonNull(lanes.get()).values().stream().mapToLong(Long::longValue).sum();
  }

  private <T> void gauge(
      String name,
      @Nullable String unit,
      String description,
      AtomicReference<T> told,
      ToDoubleFunction<T> value) {
    Gauge.builder("waybill.inbox." + name, told, reference -> value.applyAsDouble(reference.get()))
        .baseUnit(unit)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }
}

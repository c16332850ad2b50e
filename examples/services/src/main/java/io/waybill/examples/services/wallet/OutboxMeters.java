package io.waybill.examples.services.wallet;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Queue size and failed serialisations; the relay's own meters have the rest. Thread-safe. */
@Component
class OutboxMeters {
  /** Events that wait for the relay, counted up to {@value #MOST}. */
  static final String QUEUE_SIZE = "wallet.outbox.queue.size";

  /** Events that could not be serialised, by type. */
  static final String FAILURES = "wallet.outbox.serialization.failures";

  private static final int MOST = 100_000;

  private final MeterRegistry registry;

  OutboxMeters(MeterRegistry registry, OutboxRepository rows) {
    this.registry = registry;
    Gauge.builder(QUEUE_SIZE, rows, each -> each.countBySentFalse(MOST))
        .baseUnit("events")
        .description("Events that wait for the relay")
        .register(registry);
  }

  void notSerialized(String type) {
    Counter.builder(FAILURES)
        .tag("type", type)
        .description("Events that could not be serialised")
        .register(registry)
        .increment();
  }
}

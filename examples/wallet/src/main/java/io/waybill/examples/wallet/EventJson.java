package io.waybill.examples.wallet;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Serialises events; a failure is logged, counted and thrown. Thread-safe. */
final class EventJson {
  /** Counts events that could not be serialised, by type. */
  static final String FAILURES = "wallet.outbox.serialization.failures";

  private static final Logger LOG = LoggerFactory.getLogger(EventJson.class);

  private final JsonMapper mapper = JsonMapper.builder().build();
  private final MeterRegistry registry;

  EventJson(MeterRegistry registry) {
    this.registry = registry;
  }

  /** The type under which an event is stored. */
  static String type(DomainEvent event) {
    return event.getClass().getSimpleName();
  }

  /**
   * The event as JSON.
   *
   * @throws EventSerializationException if it has none
   */
  String of(DomainEvent event) {
    try {
      return mapper.writeValueAsString(event);
    } catch (JacksonException e) {
      String type = type(event);
      Counter.builder(FAILURES).tag("type", type).register(registry).increment();
      LOG.error(
          "Event {} cannot be written as JSON ({}); its transaction is rolled back",
          type,
          e.getClass().getSimpleName());
      throw new EventSerializationException(type, e);
    }
  }
}

package io.waybill.spring;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.waybill.message.Event;
import java.util.List;

/** An observation around every call that appends events. Thread-safe. */
final class ObservedOutbox implements SpringOutbox {
  private static final String SEVERAL = "several";

  private final SpringOutbox outbox;
  private final ObservationRegistry registry;

  ObservedOutbox(SpringOutbox outbox, ObservationRegistry registry) {
    this.outbox = outbox;
    this.registry = registry;
  }

  @Override
  public void append(List<Event> events) {
    if (events.isEmpty()) {
      outbox.append(events);
    } else {
      Observation.createNotStarted("waybill.append", () -> context(events), registry)
          .observe(() -> outbox.append(events));
    }
  }

  private static SenderContext<List<Event>> context(List<Event> events) {
    // The outbox gives the events their trace context, which is then that of this observation.
    SenderContext<List<Event>> context =
        new SenderContext<>((carrier, name, value) -> {}, Kind.PRODUCER);
    context.setCarrier(events);
    String type = type(events);
    context.setContextualName("append " + type);
    context.addLowCardinalityKeyValue(KeyValue.of("waybill.type", type));
    context.addHighCardinalityKeyValue(
        KeyValue.of("waybill.events", Integer.toString(events.size())));
    if (events.size() == 1) {
      context.addHighCardinalityKeyValue(KeyValue.of("waybill.event-id", events.get(0).id()));
    }
    return context;
  }

  private static String type(List<Event> events) {
    String first = events.get(0).type();
    return events.stream().allMatch(event -> event.type().equals(first)) ? first : SEVERAL;
  }
}

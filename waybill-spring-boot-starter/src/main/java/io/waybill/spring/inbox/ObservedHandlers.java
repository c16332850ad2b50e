package io.waybill.spring.inbox;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.waybill.inbox.Interceptor;
import io.waybill.message.ReceivedEvent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An observation around every call of a handler, {@code waybill.handle}: with Micrometer Tracing a
 * span that continues the trace of the event. A batch begins a trace of its own. Thread-safe.
 */
public final class ObservedHandlers implements Interceptor {
  private static final String TRACEPARENT = "traceparent";

  private final ObservationRegistry registry;
  private final String consumer;

  /**
   * Observes the handlers of a consumer.
   *
   * @param registry where observations go
   * @param consumer value of {@code waybill.consumer}
   */
  public ObservedHandlers(ObservationRegistry registry, String consumer) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.consumer = Objects.requireNonNull(consumer, "consumer");
  }

  @Override
  public void around(List<ReceivedEvent> events, Call call) throws Exception {
    ReceivedEvent first = events.get(0);
    boolean single = events.size() == 1;
    ReceiverContext<ReceivedEvent> context =
        new ReceiverContext<>((event, name) -> single ? header(event, name) : null, Kind.CONSUMER);
    context.setCarrier(first);
    context.setContextualName("handle " + first.type());
    context.addLowCardinalityKeyValue(KeyValue.of("waybill.consumer", consumer));
    context.addLowCardinalityKeyValue(KeyValue.of("waybill.type", first.type()));
    context.addLowCardinalityKeyValue(KeyValue.of("waybill.source", first.channel()));
    if (single) {
      context.addHighCardinalityKeyValue(KeyValue.of("waybill.event-id", first.id()));
    }
    Observation observation =
        Observation.createNotStarted("waybill.handle", () -> context, registry);
    observation.observeChecked(call::run);
  }

  private static @Nullable String header(ReceivedEvent event, String name) {
    return TRACEPARENT.equals(name) ? event.traceparent() : event.headers().get(name);
  }
}

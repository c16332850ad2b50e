package io.waybill.spring.inbox;

import io.micrometer.observation.ObservationRegistry;
import io.waybill.handler.Interceptor;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.spring.observation.DefaultProcessObservationConvention;
import io.waybill.spring.observation.ProcessContext;
import io.waybill.spring.observation.ProcessObservationConvention;
import io.waybill.spring.observation.WaybillObservation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observes every call of a handler as {@link WaybillObservation#PROCESS}: with Micrometer Tracing a
 * span that continues the trace of the event. A batch begins a new trace. Thread-safe.
 */
public final class ObservedHandlers implements Interceptor {
  private final ObservationRegistry registry;
  private final Transport transport;
  private final String consumer;
  private final @Nullable ProcessObservationConvention convention;
  private final ProcessObservationConvention usual = new DefaultProcessObservationConvention();

  /**
   * Observes the handlers of a consumer.
   *
   * @param registry where observations go
   * @param transport kind of broker that events come from
   * @param consumer name of the consumer
   * @param convention names and keys, or null for the default ones
   */
  public ObservedHandlers(
      ObservationRegistry registry,
      Transport transport,
      String consumer,
      @Nullable ProcessObservationConvention convention) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.transport = Objects.requireNonNull(transport, "transport");
    this.consumer = Objects.requireNonNull(consumer, "consumer");
    this.convention = convention;
  }

  @Override
  public void around(List<ReceivedEvent> events, Call call) throws Exception {
    WaybillObservation.PROCESS
        .observation(
            convention, usual, () -> new ProcessContext(events, transport, consumer), registry)
        .observeChecked(call::run);
  }
}

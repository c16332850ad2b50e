package io.waybill.spring.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.TraceContext;
import io.waybill.message.Transport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The context of {@link WaybillObservation#PROCESS}: the call of a handler with one event, or with
 * a batch, which begins a new trace.
 */
public final class ProcessContext extends ReceiverContext<ReceivedEvent> {
  private final List<ReceivedEvent> events;
  private final Transport transport;
  private final String consumer;

  /**
   * The context of a call.
   *
   * @param events events that the handler receives, at least one
   * @param transport kind of broker that they come from
   * @param consumer name of the consumer
   */
  public ProcessContext(List<ReceivedEvent> events, Transport transport, String consumer) {
    super((event, name) -> events.size() == 1 ? header(event, name) : null, Kind.CONSUMER);
    this.events = List.copyOf(events);
    this.transport = transport;
    this.consumer = consumer;
    setCarrier(events.get(0));
  }

  private static @Nullable String header(ReceivedEvent event, String name) {
    return switch (name) {
      case TraceContext.TRACEPARENT -> event.traceparent();
      case TraceContext.TRACESTATE -> event.tracestate();
      default -> event.headers().get(name);
    };
  }

  /**
   * Returns the events that the handler receives.
   *
   * @return at least one event
   */
  public List<ReceivedEvent> events() {
    return events;
  }

  /**
   * The kind of broker that they come from.
   *
   * @return kind of broker
   */
  public Transport transport() {
    return transport;
  }

  /**
   * Returns the consumer.
   *
   * @return name of the consumer
   */
  public String consumer() {
    return consumer;
  }
}

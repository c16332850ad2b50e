package io.waybill.examples.polyshop;

import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.encode.Mapped;
import io.waybill.encode.MessageMapper;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.relay.RoutedMapper;
import io.waybill.route.Route;
import io.waybill.route.Routes;
import io.waybill.store.OutboxRow;

/**
 * Wraps rows into the envelope: {@code eventId, timestamp, eventType, version, source, data,
 * metadata}. The topic is the event type, the key the aggregate id. Thread-safe.
 */
final class EventEnvelopeBuilder implements MessageMapper {
  private final MessageMapper mapper;

  /**
   * A builder.
   *
   * @param source name of the service
   */
  EventEnvelopeBuilder(String source) {
    mapper =
        new RoutedMapper(
            Routes.builder(Transport.KAFKA).byDefault(Route.to("{eventType}").build()).build(),
            Encoder.builder(Transport.KAFKA).byDefault(Format.ENVELOPE).source(source).build(),
            EventLimits.ofDefaults());
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    return mapper.map(row, sendId);
  }
}

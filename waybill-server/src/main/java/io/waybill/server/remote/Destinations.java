package io.waybill.server.remote;

import io.waybill.admin.EventDetail;
import io.waybill.admin.EventView;
import io.waybill.internal.route.Routes;
import io.waybill.internal.route.Routing;
import io.waybill.internal.store.HeaderJson;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.store.OutboxRow;
import java.util.Optional;

/** Where the configured routes lead events; the tables do not say. */
final class Destinations {
  private final Routes routes;

  Destinations(StandaloneOutbox outbox) {
    routes = outbox.routes();
  }

  /** Name of the destination that an event goes to, or empty if it has none. */
  Optional<String> of(EventDetail detail) {
    Headers headers =
        HeaderJson.read(detail.headersJson()) instanceof HeaderJson.Parsed.Valid valid
            ? valid.headers()
            : Headers.NONE;
    return routes.route(row(detail), headers) instanceof Routing.Routed routed
        ? Optional.of(routed.destination().name())
        : Optional.empty();
  }

  private static OutboxRow row(EventDetail detail) {
    EventView event = detail.event();
    EventKey key =
        event.aggregateType() == null || event.aggregateId() == null
            ? null
            : new EventKey(event.aggregateType(), event.aggregateId());
    return new OutboxRow(
        event.rowId(),
        event.lane(),
        event.eventId(),
        event.eventType(),
        detail.eventVersion(),
        key,
        null,
        detail.contentType(),
        detail.headersJson(),
        detail.correlationId(),
        detail.causationId(),
        detail.traceparent(),
        0,
        0,
        false);
  }
}

package io.waybill.server.assemble;

import io.waybill.admin.EventDetail;
import io.waybill.admin.EventView;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.HeaderJson;
import io.waybill.message.Headers;
import io.waybill.route.Routes;
import io.waybill.route.Routing;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RouteConfig;
import io.waybill.store.OutboxRow;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the configured routes lead events; the tables do not say. */
public final class Destinations {
  private final Routes routes;

  /**
   * Uses an outbox's routes.
   *
   * @param config the outbox
   */
  public Destinations(OutboxConfig config) {
    routes = config.routes().routes(config.broker().transport());
  }

  /**
   * Where an event goes.
   *
   * @param detail the event
   * @return name of the destination, or empty if the event has none
   */
  public Optional<String> of(EventDetail detail) {
    Headers headers =
        HeaderJson.read(detail.headersJson()) instanceof HeaderJson.Parsed.Valid valid
            ? valid.headers()
            : Headers.NONE;
    return routes.route(row(detail), headers) instanceof Routing.Routed routed
        ? Optional.of(routed.destination().name())
        : Optional.empty();
  }

  /**
   * All routes.
   *
   * @param config the outbox
   * @return routes of all event types
   */
  public static Stream<RouteConfig> routes(OutboxConfig config) {
    return Stream.concat(
        Stream.ofNullable(config.routes().fallback()), config.routes().types().values().stream());
  }

  /**
   * Where buried events go.
   *
   * @param config the outbox
   * @return destinations
   */
  public static Stream<Destination> deadLetters(OutboxConfig config) {
    return Stream.concat(Stream.of(config.failure()), config.failures().values().stream())
        .flatMap(failure -> Stream.ofNullable(failure.deadLetter()));
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

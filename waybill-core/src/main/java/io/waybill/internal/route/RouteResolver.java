package io.waybill.internal.route;

import io.waybill.internal.route.Routing.Routed;
import io.waybill.internal.route.Routing.Unroutable;
import io.waybill.internal.text.Quoted;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import io.waybill.route.Route;
import io.waybill.route.Template;
import io.waybill.route.TransportRules;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Fills in one route; remembers results that follow from the types alone. */
final class RouteResolver {
  // Types are few; a writer that invents new ones without end must not fill the memory.
  private static final int MAX_REMEMBERED = 1024;

  private final Transport transport;
  private final Route route;
  private final boolean perType;
  private final Map<TypeKey, Routed> remembered = new ConcurrentHashMap<>();

  RouteResolver(Transport transport, Route route) {
    this.transport = transport;
    this.route = route;
    this.perType =
        route.target().perType()
            && route.routingKey().perType()
            && (route.partition() == null || route.partition().perType());
  }

  private record TypeKey(String eventType, @Nullable String aggregateType) {
    // Asked for each event: what a record has by default costs several times as much.
    @Override
    public int hashCode() {
      return 31 * eventType.hashCode() + (aggregateType == null ? 0 : aggregateType.hashCode());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof TypeKey key
          && eventType.equals(key.eventType)
          && Objects.equals(aggregateType, key.aggregateType);
    }
  }

  Routing resolve(OutboxRow row, Headers headers) {
    if (!perType) {
      return withHeaders(destination(row, headers), row, headers);
    }
    EventKey key = row.key();
    TypeKey types = new TypeKey(row.eventType(), key == null ? null : key.aggregateType());
    Routing routing = remembered.get(types);
    if (routing == null) {
      routing = destination(row, headers);
      if (routing instanceof Routed routed && remembered.size() < MAX_REMEMBERED) {
        remembered.put(types, routed);
      }
    }
    return withHeaders(routing, row, headers);
  }

  private Routing destination(OutboxRow row, Headers headers) {
    String target = route.target().render(row, headers);
    if (target == null) {
      return missing(row, headers, route.target());
    }
    String routingKey = route.routingKey().render(row, headers);
    if (routingKey == null) {
      return missing(row, headers, route.routingKey());
    }
    Template template = route.partition();
    if (template == null) {
      return checked(row, new Destination(target, routingKey, null, route.timestamp()));
    }
    String partition = template.render(row, headers);
    if (partition == null) {
      return missing(row, headers, template);
    }
    try {
      return checked(
          row, new Destination(target, routingKey, Integer.valueOf(partition), route.timestamp()));
    } catch (NumberFormatException e) {
      return bad(row, "partition must be a whole number, is " + Quoted.of(partition));
    }
  }

  private Routing checked(OutboxRow row, Destination destination) {
    String violation = TransportRules.violation(transport, destination);
    return violation == null ? new Routed(destination, List.of()) : bad(row, violation);
  }

  private Routing withHeaders(Routing routing, OutboxRow row, Headers headers) {
    if (route.headers().isEmpty() || !(routing instanceof Routed routed)) {
      return routing;
    }
    List<Header> added = new ArrayList<>(route.headers().size());
    for (Route.HeaderTemplate header : route.headers()) {
      String value = header.value().render(row, headers);
      if (value == null) {
        return missing(row, headers, header.value());
      }
      added.add(new Header(header.name(), value));
    }
    return new Routed(routed.destination(), added);
  }

  private static Unroutable missing(OutboxRow row, Headers headers, Template template) {
    return new Unroutable(
        "missing-field",
        "Event "
            + Quoted.of(row.eventId())
            + ": template "
            + Quoted.of(template.toString())
            + " needs "
            + template.missing(row, headers)
            + ", which the event does not have");
  }

  private Unroutable bad(OutboxRow row, String violation) {
    return new Unroutable(
        "bad-destination",
        "Event "
            + Quoted.of(row.eventId())
            + ": route to "
            + Quoted.of(route.target().toString())
            + " with routing key "
            + Quoted.of(route.routingKey().toString())
            + ": "
            + violation);
  }
}

package io.waybill.internal.route;

import io.waybill.internal.route.Routing.Unroutable;
import io.waybill.internal.text.Quoted;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import io.waybill.route.Route;
import io.waybill.store.OutboxRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the destination of each row, by its event type or by default. Thread-safe. */
public final class Routes {
  private final Map<String, RouteResolver> byType;
  private final @Nullable RouteResolver byDefault;

  private Routes(Map<String, RouteResolver> byType, @Nullable RouteResolver byDefault) {
    this.byType = Map.copyOf(byType);
    this.byDefault = byDefault;
  }

  /**
   * Starts building a set of routes.
   *
   * @param transport kind of broker that they lead to
   * @return a builder
   */
  public static Builder builder(Transport transport) {
    return new Builder(transport);
  }

  /**
   * Routes a row.
   *
   * @param row the row
   * @param headers its headers
   * @return its destination, or the reason why it has none
   */
  public Routing route(OutboxRow row, Headers headers) {
    RouteResolver resolver = byType.get(row.eventType());
    if (resolver == null) {
      resolver = byDefault;
    }
    if (resolver == null) {
      String event = Quoted.of(row.eventId()) + " of type " + Quoted.of(row.eventType());
      return new Unroutable(
          "no-route", "Event " + event + " has no route, and there is no default");
    }
    return resolver.resolve(row, headers);
  }

  /** Collects routes; not thread-safe. */
  public static final class Builder {
    private final Transport transport;
    private final Map<String, RouteResolver> byType = new HashMap<>();
    private @Nullable RouteResolver byDefault;

    private Builder(Transport transport) {
      this.transport = transport;
    }

    /**
     * Sets the route of all types without a specific route.
     *
     * @param route the route
     * @return this builder
     */
    public Builder byDefault(Route route) {
      byDefault = new RouteResolver(transport, route);
      return this;
    }

    /**
     * Sets the route of one event type.
     *
     * @param eventType exact event type
     * @param route the route
     * @return this builder
     */
    public Builder forType(String eventType, Route route) {
      byType.put(eventType, new RouteResolver(transport, route));
      return this;
    }

    /**
     * Builds the routes.
     *
     * @return the routes
     */
    public Routes build() {
      return new Routes(byType, byDefault);
    }
  }
}

package io.waybill.server.config;

import io.waybill.encode.Encoder;
import io.waybill.message.Transport;
import io.waybill.route.Routes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All routes of an outbox.
 *
 * @param source who the events come from, for the formats that say so; null for none
 * @param fallback for event types without a route of their own, null to refuse those
 * @param types routes by event type
 */
public record RoutesConfig(
    @Nullable String source, @Nullable RouteConfig fallback, Map<String, RouteConfig> types) {
  /** Copies the routes. */
  public RoutesConfig {
    types = Map.copyOf(types);
  }

  static RoutesConfig read(Section section, boolean kafka, @Nullable RouteConfig usual) {
    RouteConfig fallback =
        section.has("default") ? RouteConfig.read(section.section("default"), kafka) : usual;
    Map<String, RouteConfig> types = new LinkedHashMap<>();
    section
        .sections("types")
        .forEach((type, route) -> types.put(type, RouteConfig.read(route, kafka)));
    if (fallback == null && types.isEmpty()) {
      section.problem("default", "must be given, or a route under types");
    }
    String source = section.text("source").orElse(null);
    RoutesConfig config = new RoutesConfig(source, fallback, types);
    try {
      config.encoder(kafka ? Transport.KAFKA : Transport.RABBITMQ);
    } catch (IllegalArgumentException e) {
      section.problem("source", "is wrong: " + e.getMessage());
    }
    section.done();
    return config;
  }

  /**
   * The formats of all types.
   *
   * @param transport kind of broker
   * @return encoder
   * @throws IllegalArgumentException if the source is missing or wrong; the configuration has been
   *     checked for that
   */
  public Encoder encoder(Transport transport) {
    Encoder.Builder encoder = Encoder.builder(transport).source(source);
    if (fallback != null) {
      encoder.byDefault(fallback.format());
    }
    types.forEach((type, route) -> encoder.forType(type, route.format()));
    return encoder.build();
  }

  /**
   * The destinations of all types.
   *
   * @param transport kind of broker
   * @return routes
   */
  public Routes routes(Transport transport) {
    Routes.Builder routes = Routes.builder(transport);
    if (fallback != null) {
      routes.byDefault(fallback.route());
    }
    types.forEach((type, route) -> routes.forType(type, route.route()));
    return routes.build();
  }
}

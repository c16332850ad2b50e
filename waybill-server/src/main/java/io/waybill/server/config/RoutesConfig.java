package io.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All routes of an outbox.
 *
 * @param fallback for event types without a route of their own, null to refuse those
 * @param types routes by event type
 */
public record RoutesConfig(@Nullable RouteConfig fallback, Map<String, RouteConfig> types) {
  /** Copies the routes. */
  public RoutesConfig {
    types = Map.copyOf(types);
  }

  static RoutesConfig read(Section section, boolean kafka) {
    RouteConfig fallback =
        section.has("default") ? RouteConfig.read(section.section("default"), kafka) : null;
    Map<String, RouteConfig> types = new LinkedHashMap<>();
    section
        .sections("types")
        .forEach((type, route) -> types.put(type, RouteConfig.read(route, kafka)));
    if (fallback == null && types.isEmpty()) {
      section.problem("default", "must be given, or a route under types");
    }
    section.done();
    return new RoutesConfig(fallback, types);
  }
}

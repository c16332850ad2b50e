package io.waybill.spring.internal.keys;

import io.waybill.Preset;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import io.waybill.policy.FailurePolicy;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties.FailureMode;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import io.waybill.spring.properties.WaybillProperties.RouteTo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a preset sets where the keys leave it open. */
public final class PresetKeys {
  private PresetKeys() {}

  /** The preset of a layout; a layout of one's own has none of its own. */
  static Preset of(LayoutName layout) {
    return layout == LayoutName.CUSTOM ? Preset.WAYBILL : Preset.valueOf(layout.name());
  }

  /** Where events go, or null if the keys have to say so. */
  static @Nullable RouteTo route(LayoutName layout, Transport transport) {
    Preset.DefaultRoute route = of(layout).route(transport);
    return route == null
        ? null
        : new RouteTo(
            route.target(),
            route.routingKey(),
            null,
            RecordTime.SENT,
            route.format(),
            route.headers());
  }

  /**
   * Where the preset's route leads to queues that its document names, unless the keys have a
   * default route.
   */
  public static List<Destination> destinations(OutboxProperties keys, Transport transport) {
    return keys.routes().fallback() == null ? of(keys.layout()).destinations(transport) : List.of();
  }

  /** The kind of broker that the preset's route leads to, unless the keys have a default route. */
  public static @Nullable Transport transport(OutboxProperties keys) {
    return keys.routes().fallback() == null ? of(keys.layout()).transport() : null;
  }

  /** What happens to an event that is given up. */
  static FailureMode failure(LayoutName layout) {
    return of(layout).failure() instanceof FailurePolicy.Bury ? FailureMode.BURY : FailureMode.PARK;
  }
}

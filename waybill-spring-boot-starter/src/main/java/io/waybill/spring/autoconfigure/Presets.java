package io.waybill.spring.autoconfigure;

import io.waybill.encode.Format;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import io.waybill.spring.autoconfigure.WaybillProperties.FailureMode;
import io.waybill.spring.autoconfigure.WaybillProperties.LayoutName;
import io.waybill.spring.autoconfigure.WaybillProperties.RouteTo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What layouts that go by a name bring along, as their documents have it. */
final class Presets {
  private Presets() {}

  /** Where events go unless the keys say so, or null if they have to. */
  static @Nullable RouteTo route(LayoutName layout, Transport transport) {
    boolean kafka = transport == Transport.KAFKA;
    return switch (layout) {
      case NOTIFICATION ->
          kafka
              ? null
              : route(
                  "notifications.exchange",
                  "notification.{aggregateType|lower}",
                  Format.GENERIC,
                  Map.of());
      case WALLET ->
          route("{eventType}-out-0", kafka ? "" : "{eventType}-out-0", Format.RAW, Map.of());
      case POLYSHOP -> kafka ? route("{eventType}", "", Format.ENVELOPE, Map.of()) : null;
      case DEBEZIUM ->
          kafka
              ? route("outbox.event.{aggregateType}", "", Format.RAW, Map.of("id", "{eventId}"))
              : null;
      case WAYBILL, EVENT_OUTBOX, CUSTOM -> null;
    };
  }

  /** What becomes of an event that is given up, unless the keys say so. */
  static FailureMode failure(LayoutName layout) {
    return layout == LayoutName.NOTIFICATION ? FailureMode.BURY : FailureMode.PARK;
  }

  private static RouteTo route(
      String target, String routingKey, Format format, Map<String, String> headers) {
    return new RouteTo(target, routingKey, null, RecordTime.SENT, format, headers);
  }
}

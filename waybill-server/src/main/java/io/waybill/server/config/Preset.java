package io.waybill.server.config;

import io.waybill.encode.Format;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.RecordTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Layouts that go by a name, with the routes that their documents have. */
enum Preset {
  WAYBILL,
  NOTIFICATION,
  EVENT_OUTBOX,
  WALLET,
  POLYSHOP,
  DEBEZIUM;

  Layout layout() {
    return switch (this) {
      case WAYBILL -> Layouts.WAYBILL;
      case NOTIFICATION -> Layouts.NOTIFICATION;
      case EVENT_OUTBOX -> Layouts.EVENT_OUTBOX;
      case WALLET -> Layouts.WALLET;
      case POLYSHOP -> Layouts.POLYSHOP;
      case DEBEZIUM -> Layouts.DEBEZIUM;
    };
  }

  /** Where events go and in which form unless the configuration says so; null if it has to. */
  @Nullable RouteConfig route(boolean kafka) {
    return switch (this) {
      case NOTIFICATION ->
          kafka
              ? null
              : new RouteConfig(
                  "notifications.exchange",
                  "notification.{aggregateType|lower}",
                  null,
                  RecordTime.SENT,
                  Map.of(),
                  Format.GENERIC);
      case WALLET ->
          new RouteConfig(
              "{eventType}-out-0",
              kafka ? "" : "{eventType}-out-0",
              null,
              RecordTime.SENT,
              Map.of(),
              Format.RAW);
      case POLYSHOP ->
          kafka
              ? new RouteConfig("{eventType}", "", null, RecordTime.SENT, Map.of(), Format.ENVELOPE)
              : null;
      case DEBEZIUM ->
          kafka
              ? new RouteConfig(
                  "outbox.event.{aggregateType}",
                  "",
                  null,
                  RecordTime.SENT,
                  Map.of("id", "{eventId}"),
                  Format.RAW)
              : null;
      case WAYBILL, EVENT_OUTBOX -> null;
    };
  }

  /** What becomes of an event that was refused too often, unless the configuration says so. */
  FailureConfig.Policy failure() {
    return this == NOTIFICATION ? FailureConfig.Policy.BURY : FailureConfig.Policy.PARK;
  }
}

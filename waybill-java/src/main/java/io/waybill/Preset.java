package io.waybill;

import io.waybill.encode.Format;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Transport;
import io.waybill.policy.FailurePolicy;
import io.waybill.route.Route;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outbox tables that Waybill knows by name, with the routes and policies of their documents. */
public enum Preset {
  /** Waybill's own table. */
  WAYBILL,
  /** Table {@code event_outbox} of a notification system; events that fail become FAILED. */
  NOTIFICATION,
  /** Table {@code event_outbox} with states pending, sent and failed. */
  EVENT_OUTBOX,
  /** Table {@code outbox} with a flag sent. */
  WALLET,
  /** Table {@code outbox_events} with a flag processed. */
  POLYSHOP,
  /** The table of Debezium's outbox event router. */
  DEBEZIUM;

  /**
   * The default route of a preset.
   *
   * @param target template of the Kafka topic or RabbitMQ exchange
   * @param routingKey template of the RabbitMQ routing key; empty on Kafka
   * @param format form of the message
   * @param headers further headers, by name
   */
  public record DefaultRoute(
      String target, String routingKey, Format format, Map<String, String> headers) {
    Route route() {
      Route.Builder route = Route.to(target).routingKey(routingKey);
      headers.forEach(route::header);
      return route.build();
    }
  }

  /**
   * Which column of the table holds what.
   *
   * @return the layout, with the documented name of the table
   */
  public Layout layout() {
    return switch (this) {
      case WAYBILL -> Layouts.WAYBILL;
      case NOTIFICATION -> Layouts.NOTIFICATION;
      case EVENT_OUTBOX -> Layouts.EVENT_OUTBOX;
      case WALLET -> Layouts.WALLET;
      case POLYSHOP -> Layouts.POLYSHOP;
      case DEBEZIUM -> Layouts.DEBEZIUM;
    };
  }

  /**
   * The default destination of events.
   *
   * @param transport kind of broker
   * @return the route, or null if the document has none for this kind of broker
   */
  public @Nullable DefaultRoute route(Transport transport) {
    boolean kafka = transport == Transport.KAFKA;
    return switch (this) {
      case NOTIFICATION ->
          kafka
              ? null
              : new DefaultRoute(
                  "notifications.exchange",
                  "notification.{aggregateType|lower}",
                  Format.GENERIC,
                  Map.of());
      case WALLET ->
          new DefaultRoute(
              "{eventType}-out-0", kafka ? "" : "{eventType}-out-0", Format.RAW, Map.of());
      case POLYSHOP ->
          kafka ? new DefaultRoute("{eventType}", "", Format.ENVELOPE, Map.of()) : null;
      case DEBEZIUM ->
          kafka
              ? new DefaultRoute(
                  "outbox.event.{aggregateType}", "", Format.RAW, Map.of("id", "{eventId}"))
              : null;
      case WAYBILL, EVENT_OUTBOX -> null;
    };
  }

  /**
   * The default treatment of an event whose attempts are used up.
   *
   * @return parked; dead without a dead letter for {@link #NOTIFICATION}
   */
  public FailurePolicy failure() {
    return this == NOTIFICATION ? new FailurePolicy.Bury(null) : new FailurePolicy.Park();
  }
}

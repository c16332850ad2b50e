package io.waybill;

import io.waybill.encode.Format;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.policy.FailurePolicy;
import io.waybill.route.Route;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Outboxes that Waybill knows by name, with what their documents say: table, pace, route, format,
 * queues and failure policy. Each description of a relay takes them from here and replaces what it
 * sets itself.
 */
public enum Preset {
  /** Waybill's own table. */
  WAYBILL,
  /** Table {@code event_outbox} of a notification system; events that fail become FAILED. */
  NOTIFICATION,
  /** Table {@code event_outbox} with states pending, sent and failed; no document routes it. */
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
   * The destinations of the default route whose queues the document names. A relay that has this
   * route declares them ({@link io.waybill.broker.Broker#declaring}).
   *
   * @param transport kind of broker
   * @return none if the document names no queues
   */
  public List<Destination> destinations(Transport transport) {
    DefaultRoute usual = route(transport);
    if (this != NOTIFICATION || usual == null) {
      return List.of();
    }
    String exchange = usual.target();
    return Stream.of("restaurant", "customer", "agency", "admin")
        .map(recipient -> Destination.exchange(exchange, "notification." + recipient))
        .toList();
  }

  /**
   * The only kind of broker that the default route leads to.
   *
   * @return null if there is no default route, or one for each kind
   */
  public @Nullable Transport transport() {
    List<Transport> routed =
        Stream.of(Transport.values()).filter(each -> route(each) != null).toList();
    return routed.size() == 1 ? routed.get(0) : null;
  }

  /**
   * The default treatment of an event whose attempts are used up. Where the document has a state
   * for it, the event is dead, without a dead letter, and its key goes on: the order of the key
   * ends there.
   *
   * @return dead for {@link #NOTIFICATION} (FAILED) and {@link #EVENT_OUTBOX} (failed), else parked
   */
  public FailurePolicy failure() {
    return switch (this) {
      case NOTIFICATION, EVENT_OUTBOX -> new FailurePolicy.Bury(null);
      case WAYBILL, WALLET, POLYSHOP, DEBEZIUM -> new FailurePolicy.Park();
    };
  }
}

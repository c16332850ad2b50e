package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The four documented outboxes. */
final class DocumentedOutboxes {
  private DocumentedOutboxes() {}

  /** The notification outbox: four durable queues behind a topic exchange, the generic message. */
  record Notification() implements DocumentedOutbox {
    private static final List<String> TYPES = List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN");

    @Override
    public String layout() {
      return "notification";
    }

    @Override
    public boolean onRabbit() {
      return true;
    }

    @Override
    public List<String> destinations() {
      return TYPES.stream().map(Notification::queue).toList();
    }

    private static String queue(String aggregateType) {
      return "notification." + aggregateType.toLowerCase(Locale.ROOT);
    }

    @Override
    public String configuration() {
      return "";
    }

    @Override
    public String insert(boolean postgres) {
      return """
      insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values (?, 'ORDER_CREATED', ?, ?, %s)"""
          .formatted(postgres ? "cast(? as json)" : "?");
    }

    @Override
    public void bind(PreparedStatement insert, Written event, long number) throws SQLException {
      insert.setString(1, "evt-%09d".formatted(number));
      insert.setString(2, type(event));
      insert.setLong(3, event.key());
      insert.setString(4, event.payload());
    }

    private static String type(Written event) {
      return TYPES.get(event.key() % TYPES.size());
    }

    @Override
    public Written read(Message message) {
      JsonNode body = Written.members(message.json(), fields());
      Written event = Written.of(body.get("payload"));
      assertThat(message.destination()).isEqualTo(queue(type(event)));
      assertThat(body.get("event_id").stringValue()).matches("evt-\\d{9}");
      assertThat(body.get("event_type").stringValue()).isEqualTo("ORDER_CREATED");
      assertThat(body.get("aggregate_type").stringValue()).isEqualTo(type(event));
      assertThat(body.get("aggregate_id").isIntegralNumber()).isTrue();
      assertThat(body.get("aggregate_id").asInt()).isEqualTo(event.key());
      return event;
    }

    @Override
    public String unfinished() {
      return """
      select count(*) from event_outbox
      where status <> 'PROCESSED' or published_at is null or published_at < created_at
        or not exists (select 1 from processed_event p
          where p.event_id = event_outbox.event_id and p.status = 'SUCCESS')""";
    }

    @Override
    public String toString() {
      return layout();
    }
  }

  /** The reference table {@code event_outbox}; any broker, here Kafka, with the payload alone. */
  record EventOutbox() implements DocumentedOutbox {
    @Override
    public String layout() {
      return "event-outbox";
    }

    @Override
    public boolean onRabbit() {
      return false;
    }

    @Override
    public List<String> destinations() {
      return List.of("orders-events");
    }

    @Override
    public String configuration() {
      return """
      routes:
        default: {target: "{aggregateType}-events", format: raw}
      """;
    }

    @Override
    public String insert(boolean postgres) {
      return """
      insert into event_outbox
        (id, event_key, entity_table, entity_pk, event_type, payload, producer_node)
      values (?, ?, 'orders', ?, 'order.placed', %s, 'node-1')"""
          .formatted(postgres ? "cast(? as jsonb)" : "?");
    }

    @Override
    public void bind(PreparedStatement insert, Written event, long number) throws SQLException {
      insert.setLong(1, number);
      insert.setString(2, UUID.randomUUID().toString());
      insert.setString(3, Integer.toString(event.key()));
      insert.setString(4, event.payload());
    }

    @Override
    public Written read(Message message) {
      Written event = Written.of(message.json());
      assertThat(message.headers()).containsEntry("producer-node", "node-1");
      return event;
    }

    @Override
    public String unfinished() {
      return """
      select count(*) from event_outbox
      where status <> 'sent' or processed_at is null or processed_at < created_at
        or attempts < 1 or next_attempt_at is not null""";
    }

    @Override
    public String toString() {
      return layout();
    }
  }

  /** The wallet: the payload alone, a topic per event type. */
  record Wallet() implements DocumentedOutbox {
    private static final List<String> TYPES =
        List.of("WalletCreated", "FundsAdded", "FundsWithdrawn", "FundsTransferred");

    @Override
    public String layout() {
      return "wallet";
    }

    @Override
    public boolean onRabbit() {
      return false;
    }

    @Override
    public List<String> destinations() {
      return TYPES.stream().map(type -> type + "-out-0").toList();
    }

    @Override
    public String configuration() {
      return "";
    }

    @Override
    public String insert(boolean postgres) {
      return "insert into outbox (event_type, payload, correlation_id) values (?, ?, ?)";
    }

    @Override
    public void bind(PreparedStatement insert, Written event, long number) throws SQLException {
      insert.setString(1, type(event));
      insert.setString(2, event.payload());
      insert.setString(3, "wallet-" + event.key());
    }

    private static String type(Written event) {
      return TYPES.get(event.key() % TYPES.size());
    }

    @Override
    public Written read(Message message) {
      Written event = Written.of(message.json());
      assertThat(message.body()).isEqualTo(event.payload());
      assertThat(message.destination()).isEqualTo(type(event) + "-out-0");
      return event;
    }

    @Override
    public String unfinished() {
      return "select count(*) from outbox where sent = false";
    }

    @Override
    public String toString() {
      return layout();
    }
  }

  /** PolyShop: the envelope, topic by event type, keyed by the aggregate's id. */
  record Polyshop() implements DocumentedOutbox {
    private static final String TYPE = "order.order.placed.v1";

    @Override
    public String layout() {
      return "polyshop";
    }

    @Override
    public boolean onRabbit() {
      return false;
    }

    @Override
    public List<String> destinations() {
      return List.of(TYPE);
    }

    @Override
    public String configuration() {
      return "routes: {source: order-service}";
    }

    @Override
    public String insert(boolean postgres) {
      return """
      insert into outbox_events (id, aggregate_id, event_type, payload)
      values (%s, ?, '%s', %s)"""
          .formatted(postgres ? "cast(? as uuid)" : "?", TYPE, postgres ? "cast(? as json)" : "?");
    }

    @Override
    public void bind(PreparedStatement insert, Written event, long number) throws SQLException {
      insert.setString(1, new UUID(0x0199_0000_0000_7000L, number).toString());
      insert.setString(2, "order-" + event.key());
      insert.setString(3, event.payload());
    }

    @Override
    public Written read(Message message) {
      JsonNode body = Written.members(message.json(), fields());
      Written event = Written.of(body.get("data"));
      assertThat(UUID.fromString(body.get("eventId").stringValue())).isNotNull();
      assertThat(Instant.parse(body.get("timestamp").stringValue()))
          .isBetween(Instant.now().minusSeconds(3_600), Instant.now().plusSeconds(60));
      assertThat(body.get("eventType").stringValue()).isEqualTo(TYPE);
      assertThat(body.get("version").asInt()).isEqualTo(1);
      assertThat(body.get("source").stringValue()).isEqualTo("order-service");
      assertThat(body.get("metadata").isObject()).isTrue();
      assertThat(message.key()).isEqualTo("order-" + event.key());
      return event;
    }

    @Override
    public String unfinished() {
      return """
      select count(*) from outbox_events
      where processed = false or processed_at is null or processed_at < created_at
        or error_message is not null""";
    }

    @Override
    public String toString() {
      return layout();
    }
  }
}

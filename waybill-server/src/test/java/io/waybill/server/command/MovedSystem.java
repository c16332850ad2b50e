package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A documented system on PostgreSQL: its own producer, writers and consumers. */
abstract class MovedSystem implements AutoCloseable {
  static final String EXCHANGE = "notifications.exchange";
  static final String QUEUE = "notification.admin";
  static final String WALLET_EVENT = "FundsAdded";
  static final String ORDER_EVENT = "order.order.placed.v1";

  @Override
  public abstract void close() throws IOException;

  /** The layout's name. */
  abstract String layout();

  /** Heading of its section in the page, and of its way back. */
  abstract String heading();

  abstract String wayBack();

  /** An insert as its services make it. Parameters: number of the event, key, payload. */
  abstract String insert();

  /** The key of the section with the broker's address, and this broker's. */
  abstract Map.Entry<String, String> broker();

  abstract HomeMadeProducer producer(Connection connection) throws Exception;

  /** How many messages have arrived. */
  abstract int arrived();

  /** What writers wrote, as it arrived. */
  abstract List<String> arrivals();

  /** Condition of rows that wait. */
  abstract String waiting();

  abstract String table();

  /** RabbitMQ, table event_outbox with its records. */
  static final class NotificationSystem extends MovedSystem {
    private final RabbitServer rabbit;
    private final com.rabbitmq.client.Connection client;
    private final RabbitTail tail;

    NotificationSystem(RabbitServer rabbit) throws Exception {
      this.rabbit = rabbit;
      var factory = new com.rabbitmq.client.ConnectionFactory();
      factory.setUri(URI.create(rabbit.uri()));
      client = factory.newConnection("home-made");
      try (Channel channel = client.createChannel()) {
        channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
        channel.queueDeclare(QUEUE, true, false, false, null);
        channel.queuePurge(QUEUE);
        channel.queueBind(QUEUE, EXCHANGE, QUEUE);
      }
      tail = new RabbitTail(rabbit.uri(), List.of(QUEUE));
    }

    @Override
    String layout() {
      return "notification";
    }

    @Override
    String heading() {
      return "Notification outbox";
    }

    @Override
    String wayBack() {
      return "The way back of a notification outbox";
    }

    @Override
    String insert() {
      return """
      insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      select 'evt-' || n, 'USER_REGISTERED', 'ADMIN', k::bigint, b::json
      from (select ?::text as n, ?::text as k, ?::text as b) e""";
    }

    @Override
    Map.Entry<String, String> broker() {
      return Map.entry("addresses", "127.0.0.1:" + rabbit.port());
    }

    @Override
    HomeMadeProducer producer(Connection connection) throws Exception {
      Channel channel = client.createChannel();
      return new HomeMadeProducer(connection, Duration.ofSeconds(1)) {
        @Override
        void look() throws Exception {
          each(
              """
              select event_id, event_type, aggregate_type, aggregate_id, payload from event_outbox
              where status = 'PENDING' order by created_at limit 1000""",
              row -> publish(row));
        }

        private void publish(List<String> row) throws Exception {
          String id = row.get(0);
          change("insert into processed_event (event_id, status) values (?, 'PROCESSING')", id);
          String message =
              """
              {"event_id":"%s","event_type":"%s","aggregate_type":"%s","aggregate_id":%s,"payload":%s}"""
                  .formatted(row.toArray());
          channel.basicPublish(EXCHANGE, QUEUE, null, message.getBytes(UTF_8));
          change("update processed_event set status = 'SUCCESS' where event_id = ?", id);
          change(
              """
              update event_outbox set status = 'PROCESSED', published_at = now()
              where event_id = ?""",
              id);
        }
      };
    }

    @Override
    int arrived() {
      return tail.count();
    }

    @Override
    List<String> arrivals() {
      return tail.messages().stream()
          .map(RabbitMessage::body)
          .map(body -> JsonMapper.shared().readTree(body).path("payload").toString())
          .toList();
    }

    @Override
    String waiting() {
      return "status = 'PENDING'";
    }

    @Override
    String table() {
      return "event_outbox";
    }

    @Override
    public void close() throws IOException {
      tail.close();
      client.close();
    }
  }

  /** Kafka, a topic of one type. */
  abstract static class KafkaSystem extends MovedSystem {
    private final KafkaServer kafka;
    private final KafkaProducer<String, String> client;
    private final KafkaTail tail;

    KafkaSystem(KafkaServer kafka, String topic) throws Exception {
      this.kafka = kafka;
      kafka.createTopic(topic, 1, Map.of());
      client =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", kafka.bootstrapServers()),
              new StringSerializer(),
              new StringSerializer());
      tail = new KafkaTail(kafka.bootstrapServers(), List.of(topic));
    }

    Future<?> send(String topic, @Nullable String key, String value) {
      return client.send(new ProducerRecord<>(topic, key, value));
    }

    @Override
    int arrived() {
      return tail.count();
    }

    @Override
    List<String> arrivals() {
      return tail.messages().stream().map(KafkaMessage::value).toList();
    }

    @Override
    Map.Entry<String, String> broker() {
      return Map.entry("bootstrap-servers", kafka.bootstrapServers());
    }

    @Override
    public void close() {
      tail.close();
      client.close();
    }
  }

  /** Table outbox, published at a fixed rate and marked one by one. */
  static final class WalletSystem extends KafkaSystem {
    WalletSystem(KafkaServer kafka) throws Exception {
      super(kafka, WALLET_EVENT + "-out-0");
    }

    @Override
    String layout() {
      return "wallet";
    }

    @Override
    String heading() {
      return "Wallet";
    }

    @Override
    String wayBack() {
      return "The way back of a wallet";
    }

    @Override
    String insert() {
      return """
      insert into outbox (event_type, correlation_id, payload)
      select '%s', 'wallet-' || k, b
      from (select ?::text as n, ?::text as k, ?::text as b) e"""
          .formatted(WALLET_EVENT);
    }

    @Override
    HomeMadeProducer producer(Connection connection) {
      return new HomeMadeProducer(connection, Duration.ofSeconds(5)) {
        @Override
        void look() throws Exception {
          each(
              "select id, event_type, payload from outbox where sent = false order by id",
              row -> {
                sent(send(row.get(1) + "-out-0", null, row.get(2)));
                change("update outbox set sent = true where id = ?::bigint", row.get(0));
              });
        }
      };
    }

    @Override
    String waiting() {
      return "sent = false";
    }

    @Override
    String table() {
      return "outbox";
    }
  }

  /** Table outbox_events, published in envelopes. */
  static final class PolyshopSystem extends KafkaSystem {
    PolyshopSystem(KafkaServer kafka) throws Exception {
      super(kafka, ORDER_EVENT);
    }

    @Override
    String layout() {
      return "polyshop";
    }

    @Override
    String heading() {
      return "PolyShop";
    }

    @Override
    String wayBack() {
      return "The way back of PolyShop";
    }

    @Override
    String insert() {
      return """
      insert into outbox_events (id, event_type, aggregate_id, payload)
      select gen_random_uuid(), '%s', 'order-' || k, b::json
      from (select ?::text as n, ?::text as k, ?::text as b) e"""
          .formatted(ORDER_EVENT);
    }

    @Override
    HomeMadeProducer producer(Connection connection) {
      return new HomeMadeProducer(connection, Duration.ofMillis(500)) {
        @Override
        void look() throws Exception {
          each(
              """
              select id, event_type, aggregate_id, payload, created_at from outbox_events
              where processed = false order by created_at limit 100""",
              row -> {
                sent(send(row.get(1), row.get(2), envelope(row)));
                change(
                    """
                    update outbox_events set processed = true, processed_at = now()
                    where id = ?::uuid""",
                    row.get(0));
              });
        }

        private String envelope(List<String> row) {
          return """
          {"eventId":"%s","timestamp":"%s","eventType":"%s","version":1,"source":"payment-service",\
          "data":%s,"metadata":{}}"""
              .formatted(row.get(0), row.get(4), row.get(1), row.get(3));
        }
      };
    }

    @Override
    List<String> arrivals() {
      return super.arrivals().stream()
          .map(body -> JsonMapper.shared().readTree(body).path("data").toString())
          .toList();
    }

    @Override
    String waiting() {
      return "processed = false";
    }

    @Override
    String table() {
      return "outbox_events";
    }
  }
}

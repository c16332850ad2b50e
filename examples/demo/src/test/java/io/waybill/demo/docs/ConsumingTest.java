package io.waybill.demo.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Inbox;
import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.InboxTables;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the inbox that the documents show. */
@Tag("server")
class ConsumingTest {
  @Test
  void everyHandlerDoesWhatTheGuideSays() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch();
        Producer<String, String> producer = producer(kafka)) {
      kafka.createTopic("shop", 1, Map.of());
      kafka.createTopic("shop.dlt", 1, Map.of());
      DataSource database = postgres.dataSource();
      prepare(database);
      send(producer, "e1", "order.placed", "2", "{\"orderId\":\"o-1\",\"cents\":250}");
      send(producer, "e1", "order.placed", "2", "{\"orderId\":\"o-1\",\"cents\":250}");
      send(producer, "e2", "order.placed", "1", "{\"orderId\":\"o-2\"}");
      send(producer, "e3", "order.shipped", "1", "{\"metadata\":{}}");
      send(producer, "e4", "stock.counted", "1", "{}");
      send(producer, "e5", "stock.counted", "3", "{}");
      send(producer, "e6", "nobody.cares", "1", "{}");
      List<String> mails = new CopyOnWriteArrayList<>();

      try (Inbox inbox =
          new Consuming((key, text) -> mails.add(key)).start(database, kafka.bootstrapServers())) {
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () ->
                    assertThat(texts(database, "select event_id from processed_events"))
                        .containsExactlyInAnyOrder("e1", "e2", "e3", "e4", "e5"));
        assertThat(texts(database, "select cents from account")).containsExactly("750");
        assertThat(texts(database, "select event_type || causation_id from waybill_outbox"))
            .containsExactly("payment.takene1");
        assertThat(texts(database, "select event_id from stock"))
            .containsExactlyInAnyOrder("e4", "e5");
        assertThat(mails).containsExactly("e3");
        assertThat(inbox.problem()).isEmpty();
      }
    }
  }

  private static void prepare(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      Schema.of(SchemaOptions.defaults()).apply(connection);
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
      statement.execute("create table account (id int, cents bigint)");
      statement.execute("insert into account values (1, 1000)");
      statement.execute("create table stock (event_id text)");
    }
  }

  private static Producer<String, String> producer(KafkaServer kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new StringSerializer());
  }

  private static void send(
      Producer<String, String> producer, String id, String type, String version, String body)
      throws Exception {
    ProducerRecord<String, String> message = new ProducerRecord<>("shop", "k", body);
    Map<String, String> headers =
        Map.of(
            "waybill-event-id", id, "waybill-event-type", type, "waybill-event-version", version);
    headers.forEach(
        (name, value) -> message.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
    producer.send(message).get(30, TimeUnit.SECONDS);
  }

  private static List<String> texts(DataSource database, String sql) throws SQLException {
    List<String> texts = new CopyOnWriteArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}

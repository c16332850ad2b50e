package io.waybill.demo.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.waybill.RunningInbox;
import io.waybill.Waybill;
import io.waybill.broker.Publisher;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.database.SideNames;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.layout.Layouts;
import io.waybill.message.Event;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs what the documents show: the failing attempts fail, the examples work. */
@Tag("server")
class ExamplesTest {
  private static PostgresServer postgres;
  private static KafkaServer kafka;
  private static DataSource database;

  @BeforeAll
  static void launch() throws SQLException {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
    kafka.createTopic("orders", 1, Map.of());
    kafka.createTopic("order-events", 1, Map.of());
    database = postgres.dataSource();
    try (Connection connection = database.getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
    execute("create table orders (order_id text primary key)");
    execute("create table my_outbox (id bigint generated always as identity, event text)");
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    execute("truncate orders, waybill_outbox");
  }

  @Test
  void theDualWriteTellsOfAnOrderThatDoesNotExist() throws Exception {
    try (Connection connection = database.getConnection();
        Producer<String, String> producer = producer()) {
      connection.setAutoCommit(false);
      // What the database does to a connection between the send and the commit.
      FailingAttempts.dualWrite(rollingBack(connection), producer, "o-1");
    }

    assertThat(keys("orders", 1)).containsExactly("o-1");
    assertThat(count("orders")).isZero();
  }

  @Test
  void theNaivePollerMissesWhatCommitsLate() throws Exception {
    try (Connection slow = database.getConnection();
        Connection quick = database.getConnection();
        Connection poller = database.getConnection()) {
      slow.setAutoCommit(false);
      execute(slow, "insert into my_outbox (event) values ('first')");
      execute(quick, "insert into my_outbox (event) values ('second')");

      List<Long> seen = new ArrayList<>(FailingAttempts.poll(poller, 0));
      slow.commit();
      seen.addAll(FailingAttempts.poll(poller, seen.get(seen.size() - 1)));

      assertThat(seen).hasSize(1);
      assertThat(count("my_outbox")).isEqualTo(2);
    }
  }

  @Test
  void anEventCommitsWithItsOrderAndReachesTheTopic() throws Exception {
    Examples.placeOrder(database, "o-2");
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      byte[] bytes = "any".getBytes(StandardCharsets.UTF_8);
      Event delayed = Examples.everything(bytes, Instant.now().plus(Duration.ofDays(1)));
      Examples.several(connection, Examples.tombstone(), delayed);
      connection.commit();
    }
    assertThat(count("orders")).isEqualTo(1);
    assertThat(count("waybill_outbox")).isEqualTo(3);

    Examples.notifying(database).close();
    try (Waybill waybill = Examples.inProcess(database, kafka.bootstrapServers())) {
      assertThat(keys("order-events", 2)).containsExactly("o-2", "o-42");
      Awaitility.await().until(() -> count("waybill_outbox") == 1);
      assertThat(waybill.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void anEventCarriesTheSpanInWhichItWasAppended() throws Exception {
    try (OpenTelemetrySdk telemetry =
            OpenTelemetrySdk.builder()
                .setTracerProvider(
                    SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(SpanExporter.composite()))
                        .build())
                .build();
        Publisher publisher =
            new KafkaPublisher(KafkaPublisherConfig.builder(kafka.bootstrapServers()).build());
        Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Examples.Traced traced =
          Examples.traced(telemetry, connection, Examples.tombstone(), publisher);
      connection.commit();

      assertThat(traced.sends().deliveryTimeout()).isEqualTo(publisher.deliveryTimeout());
      assertThat(traced.handles()).isNotNull();
    }
    assertThat(count("waybill_outbox where traceparent like '00-%'")).isEqualTo(1);
  }

  @Test
  void anAdoptedTableIsWrittenAndRelayedInProcess() throws Exception {
    kafka.createTopic("order.created.v1", 1, Map.of());
    DatabaseKind kind = DatabaseKind.POSTGRESQL;
    try (Connection connection = database.getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable("polyshop", kind));
      TableSchema.of(Layouts.POLYSHOP, kind, SideNames.of(Layouts.POLYSHOP), 1).apply(connection);
      try (Waybill waybill = Examples.preset(database, kafka.bootstrapServers())) {
        connection.setAutoCommit(false);
        Event event =
            Event.builder("order.created.v1", "aggregate", "o-7")
                .id("00000000-0000-0000-0000-000000000007")
                .json("{}")
                .build();
        waybill.outbox().append(connection, event);
        connection.commit();
        waybill.outbox().committed();

        assertThat(keys("order.created.v1", 1)).containsExactly("o-7");
        Awaitility.await().until(() -> count("outbox_events where processed") == 1);
        assertThat(waybill.stop(Duration.ofSeconds(10))).isTrue();
      }
    }
  }

  @Test
  void everyHandlerOfAnInboxDoesWhatTheGuideSays() throws Exception {
    kafka.createTopic("shop", 1, Map.of());
    kafka.createTopic("shop.dlt", 1, Map.of());
    try (Connection connection = database.getConnection()) {
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
    }
    execute("create table account (id int, cents bigint)");
    execute("insert into account values (1, 1000)");
    execute("create table stock (event_id text)");
    try (Producer<String, String> producer = producer()) {
      consumed(producer, "e1", "order.placed", "2", "{\"orderId\":\"o-1\",\"cents\":250}");
      consumed(producer, "e1", "order.placed", "2", "{\"orderId\":\"o-1\",\"cents\":250}");
      consumed(producer, "e2", "order.placed", "1", "{\"orderId\":\"o-2\"}");
      consumed(producer, "e3", "order.shipped", "1", "{\"metadata\":{}}");
      consumed(producer, "e4", "stock.counted", "1", "{}");
      consumed(producer, "e5", "stock.counted", "3", "{}");
      consumed(producer, "e6", "nobody.cares", "1", "{}");
    }
    List<String> mails = new CopyOnWriteArrayList<>();

    try (RunningInbox inbox =
        new Consuming((key, text) -> mails.add(key)).start(database, kafka.bootstrapServers())) {
      assertThat(keys("shop.dlt", 1)).containsExactly("k");
      Awaitility.await()
          .atMost(Patience.of(Duration.ofMinutes(1)))
          .until(() -> count("processed_events") == 5 && count("stock") == 2);
      assertThat(count("account where cents = 750")).isEqualTo(1);
      assertThat(count("waybill_outbox where causation_id = 'e1'")).isEqualTo(1);
      assertThat(count("waybill_outbox")).isEqualTo(1);
      assertThat(mails).containsExactly("e3");
      assertThat(inbox.problem()).isEmpty();
    }
  }

  private static void consumed(
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

  private static List<String> keys(String topic, int atLeast) {
    List<String> keys = new ArrayList<>();
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      Awaitility.await()
          .atMost(Patience.of(Duration.ofMinutes(1)))
          .until(
              () -> {
                StreamSupport.stream(consumer.poll(Duration.ofMillis(100)).spliterator(), false)
                    .map(ConsumerRecord::key)
                    .forEach(keys::add);
                return keys.size() >= atLeast;
              });
    }
    return keys;
  }

  private static Producer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new StringSerializer());
  }

  private static Connection rollingBack(Connection connection) {
    return (Connection)
        java.lang.reflect.Proxy.newProxyInstance(
            ExamplesTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (method.getName().equals("commit")) {
                connection.rollback();
                return null;
              }
              return method.invoke(connection, arguments);
            });
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection()) {
      execute(connection, sql);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from " + table)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.Preset;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.it.Door.Reach;
import io.waybill.it.Door.Running;
import io.waybill.it.Door.Wish;
import io.waybill.jdbc.TableSchema;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A preset alone brings what its documents say, whatever describes the relay: table, pace, route,
 * format, queues and what becomes of an event that is given up.
 */
@Tag("server")
@Tag("long")
class PresetDoorsTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  private static final List<String> QUEUES =
      List.of(
          "notification.restaurant",
          "notification.customer",
          "notification.agency",
          "notification.admin");

  private static PostgresServer postgres;
  private static KafkaServer kafka;
  private static RabbitServer rabbit;
  @RegisterExtension private final SupervisorLog log = new SupervisorLog();
  @TempDir private Path folder;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  static void close() {
    rabbit.close();
    kafka.close();
    postgres.close();
  }

  private static String name(Door door, Preset preset) {
    return (preset + "_" + door).toLowerCase(Locale.ROOT);
  }

  /** A database with the documented table and what stands beside it. */
  private static Connection adopted(String name, Preset preset) throws SQLException {
    postgres.createDatabase(name);
    Connection connection = postgres.dataSource(name).getConnection();
    DatabaseKind kind = DatabaseKind.POSTGRESQL;
    TableSchema.run(connection, TableSchema.documentedTable(preset.layout().name(), kind));
    TableSchema.of(preset.layout(), kind, SideNames.of(preset.layout()), 1).apply(connection);
    return connection;
  }

  private static Wish onKafka(String name, Preset preset) {
    return Wish.of(postgres.jdbcUrl(name), Reach.kafka(kafka.bootstrapServers()), preset);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of all rows, with commas between them. */
  private static String values(Connection connection, String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      StringBuilder all = new StringBuilder();
      while (rows.next()) {
        all.append(all.isEmpty() ? "" : ",").append(rows.getString(1));
      }
      return all.toString();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitValues(Connection connection, String query, String expected) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(values(connection, query)).isEqualTo(expected));
  }

  private void assertSaysThatOrderEnds(boolean expected) {
    assertThat(
            log.lines().stream()
                .anyMatch(line -> line.getFormattedMessage().contains("config-order-ends-at-dead")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void notification(Door door) throws Exception {
    String name = name(door, Preset.NOTIFICATION);
    rabbit.ctl("add_vhost", name);
    rabbit.ctl("set_permissions", "-p", name, "guest", ".*", ".*", ".*");
    Reach reach = Reach.rabbit(rabbit.host() + ":" + rabbit.port(), name);
    try (Connection connection = adopted(name, Preset.NOTIFICATION)) {
      run(
          connection,
          """
          insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('e1', 'ORDER_CREATED', 'CUSTOMER', 5, '{"n":1}')""");
      long start = System.nanoTime();
      Wish wish = Wish.of(postgres.jdbcUrl(name), reach, Preset.NOTIFICATION);
      try (Running relay = door.start(wish, folder)) {
        awaitValues(connection, "select status from event_outbox", "PROCESSED");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .as("the documented delay before the first read")
            .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        awaitValues(connection, "select status from processed_event", "SUCCESS");
        assertThat(values(connection, "select published_at is not null from event_outbox"))
            .isEqualTo("t");
        assertArrived(name);
        // Nothing can route it: the routing key is too long.
        run(
            connection,
            """
            insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
            values ('e2', 'LOST', repeat('X', 250), 5, '{}'),
              ('e3', 'LOST', repeat('X', 250), 5, '{}')""");
        awaitValues(
            connection,
            "select status from event_outbox order by event_id",
            "PROCESSED,FAILED,FAILED");
        assertThat(relay.unready()).isEmpty();
      }
      assertSaysThatOrderEnds(true);
    }
  }

  /**
   * In its queue; a consumer that declares the queues as documented finds them as it wants them.
   */
  private static void assertArrived(String virtualHost) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(rabbit.host());
    factory.setPort(rabbit.port());
    factory.setVirtualHost(virtualHost);
    try (com.rabbitmq.client.Connection connection = factory.newConnection("test");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("notifications.exchange", "topic", true);
      for (String queue : QUEUES) {
        channel.queueDeclare(queue, true, false, false, null);
        channel.queueBind(queue, "notifications.exchange", queue);
      }
    }
    try (RabbitTail tail = new RabbitTail(rabbit.uri() + "/" + virtualHost, QUEUES)) {
      await().atMost(PATIENCE).until(() -> tail.count() == 1);
      RabbitMessage message = tail.messages().get(0);
      assertThat(message.queue()).isEqualTo("notification.customer");
      assertThat(message.body())
          .isEqualTo(
              """
              {"event_id":"e1","event_type":"ORDER_CREATED","aggregate_type":"CUSTOMER",\
              "aggregate_id":5,"payload":{"n":1}}""");
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void eventOutbox(Door door) throws Exception {
    String name = name(door, Preset.EVENT_OUTBOX);
    kafka.createTopic(name, 1, Map.of());
    try (Connection connection = adopted(name, Preset.EVENT_OUTBOX);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(name))) {
      run(
          connection,
          """
          insert into event_outbox (id, event_key, event_type, entity_table, entity_pk, payload)
          values (1, 'first', 'no topic!', 'orders', '1', '{}'), (2, 'next', '%s', 'orders', '1', '{}')"""
              .formatted(name));
      Wish wish = onKafka(name, Preset.EVENT_OUTBOX).to("{eventType}");
      try (Running relay = door.start(wish, folder)) {
        awaitValues(connection, "select status from event_outbox order by id", "failed,sent");
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        assertThat(relay.unready()).isEmpty();
      }
      assertSaysThatOrderEnds(true);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void wallet(Door door) throws Exception {
    String name = name(door, Preset.WALLET);
    String topic = name + "-out-0";
    kafka.createTopic(topic, 1, Map.of());
    try (Connection connection = adopted(name, Preset.WALLET);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(topic))) {
      insertForWallet(connection, name, "w-1");
      try (Running relay = door.start(onKafka(name, Preset.WALLET), folder)) {
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        awaitValues(connection, "select sent from outbox", "t");
        assertThat(tail.messages().get(0).value()).isEqualTo("{\"n\":1}");
        // Parked, so that its wallet waits.
        insertForWallet(connection, "no topic!", "w-1");
        insertForWallet(connection, name, "w-1");
        awaitValues(connection, "select state from waybill_outbox_row_state", "PARKED");
        assertThat(values(connection, "select sent from outbox order by id")).isEqualTo("t,f,f");
        assertThat(relay.unready()).isEmpty();
      }
      assertSaysThatOrderEnds(false);
    }
  }

  private static void insertForWallet(Connection connection, String type, String wallet)
      throws SQLException {
    run(
        connection,
        """
        insert into outbox (event_type, payload, correlation_id) values ('%s', '{"n":1}', '%s')"""
            .formatted(type, wallet));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void polyshop(Door door) throws Exception {
    String name = name(door, Preset.POLYSHOP);
    kafka.createTopic(name, 1, Map.of());
    try (Connection connection = adopted(name, Preset.POLYSHOP);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(name))) {
      run(
          connection,
          """
          insert into outbox_events (id, aggregate_id, event_type, payload)
          values (gen_random_uuid(), 'a-1', '%s', '{"n":1}')"""
              .formatted(name));
      try (Running relay = door.start(onKafka(name, Preset.POLYSHOP), folder)) {
        awaitValues(
            connection, "select processed and processed_at is not null from outbox_events", "t");
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        assertThat(tail.messages().get(0).value())
            .contains(
                "\"eventType\":\"" + name + "\"", "\"source\":\"doors\"", "\"data\":{\"n\":1}");
        assertThat(tail.messages().get(0).key()).isEqualTo("a-1");
        assertThat(relay.unready()).isEmpty();
      }
      assertSaysThatOrderEnds(false);
    }
  }
}

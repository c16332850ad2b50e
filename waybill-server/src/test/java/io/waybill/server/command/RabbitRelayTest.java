package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The relay as a process of its own, on a real PostgreSQL and a real RabbitMQ. */
@Tag("server")
@Tag("long")
class RabbitRelayTest {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));

  private static final String TOPOLOGY =
      "{exchanges: {notifications.exchange: {type: topic}}, queues: {notification.order: {type: quorum}},"
          + " bindings: [{exchange: notifications.exchange, queue: notification.order,"
          + " routing-key: notification.order}]}";
  private static final Map<String, String> SECRETS = Map.of("RABBIT", "guest");

  @TempDir private Path folder;

  @Test
  void declaresItsTopologyAndCarriesEvents() throws Exception {
    try (PostgresServer database = PostgresServer.launch();
        RabbitServer rabbit = RabbitServer.launch();
        RelayProcesses relays = new RelayProcesses(folder)) {
      Path config = CommandRun.write(folder, yaml(database.port(), rabbit.port(), TOPOLOGY));
      assertThat(run(config, "schema", "apply").code()).isEqualTo(ExitCode.OK);
      append(database, "Order");
      Process relay = relays.start(config, SECRETS);
      await().atMost(LIMIT).until(() -> relays.log().contains("relay-r-orders"));
      assertThat(receive(rabbit, "notification.order")).isEqualTo("{\"n\":1}");
      CommandRun doctor = run(config, "doctor", "--json");
      assertThat(doctor.jsonTexts("severity")).doesNotContain("REFUSE");
      relays.stop(relay);
    }
  }

  /** As consumers of the notification system declare them, and in other ways. */
  @Test
  void queuesThatAreThereAreUsedAsTheyAre() throws Exception {
    try (PostgresServer database = PostgresServer.launch();
        RabbitServer rabbit = RabbitServer.launch();
        RelayProcesses relays = new RelayProcesses(folder)) {
      declare(rabbit, "notification.restaurant", Map.of("x-queue-type", "quorum"));
      declare(rabbit, "notification.customer", Map.of());
      declare(rabbit, "notification.agency", Map.of("x-max-priority", 5));
      String preset = yaml(database.port(), rabbit.port(), "{preset: notification}");
      Path config = CommandRun.write(folder, preset);
      assertThat(run(config, "schema", "apply").code()).isEqualTo(ExitCode.OK);
      append(database, "Customer");
      Process relay = relays.start(config, SECRETS);
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(relays.log()).contains("relay-r-orders"));
      assertThat(receive(rabbit, "notification.customer")).isEqualTo("{\"n\":1}");
      assertThat(relays.log())
          .containsOnlyOnce("queue 'notification.restaurant' exists with type quorum")
          .containsOnlyOnce("queue 'notification.agency' exists with other properties")
          .contains("rabbitmq-queue-type-differs", "rabbitmq-properties-differ")
          .contains("the relay starts nevertheless")
          .doesNotContain("queue 'notification.customer'", "queue 'notification.admin'");
      relays.stop(relay);
    }
  }

  private static void declare(RabbitServer rabbit, String queue, Map<String, Object> arguments)
      throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(queue, true, false, false, arguments);
    }
  }

  private static void append(PostgresServer database, String aggregate) throws Exception {
    try (java.sql.Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('e1', 'placed', '%s', '1', '{"n":1}')
          """
              .formatted(aggregate));
    }
  }

  private static String receive(RabbitServer rabbit, String queue) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(rabbit.port());
    try (Connection connection = factory.newConnection()) {
      await().atMost(LIMIT).until(() -> count(connection, queue) == 1);
      try (Channel channel = connection.createChannel()) {
        GetResponse response = channel.basicGet(queue, true);
        return new String(response.getBody(), StandardCharsets.UTF_8);
      }
    }
  }

  private static long count(Connection connection, String queue) throws Exception {
    Channel channel = connection.createChannel();
    long messages = channel.queueDeclarePassive(queue).getMessageCount();
    channel.close();
    return messages;
  }

  private static CommandRun run(Path config, String... arguments) {
    return CommandRun.on(config, SECRETS, arguments);
  }

  private static String yaml(int database, int rabbit, String topology) {
    return """
    server: {port: 0}
    waybill:
      relay: {name: relay-r}
      outboxes:
        orders:
          database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
          rabbitmq:
            addresses: ["127.0.0.1:%d"]
            password: ${RABBIT}
            topology: %s
          routes:
            default:
              target: notifications.exchange
              routing-key: "notification.{aggregateType|lower}"
    """
        .formatted(database, rabbit, topology);
  }
}

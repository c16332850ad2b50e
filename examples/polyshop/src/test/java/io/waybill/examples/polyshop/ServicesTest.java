package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Waybill;
import io.waybill.database.SchemaOptions;
import io.waybill.examples.polyshop.Tools.Ended;
import io.waybill.jdbc.Schema;
import io.waybill.kafka.KafkaBroker;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of the services in their own languages; then what they committed is relayed. */
@Tag("server")
@Tag("long")
class ServicesTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  private static PostgresServer postgres;
  private static KafkaServer kafka;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  /** A service's database, with Waybill's own table beside the documented one. */
  private static Map<String, String> databaseOf(Service service) throws Exception {
    service.createDatabase(postgres);
    try (Connection connection = postgres.dataSource(service.database()).getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
    Map<String, String> environment = new HashMap<>(Tools.pythonEnvironment());
    environment.put("DATABASE_URL", service.url(postgres));
    return environment;
  }

  @Test
  void theTestsOfThePaymentServicePassAndWhatTheyCommittedToWaybillsTableArrives()
      throws Exception {
    Languages.assumeNode();
    Tools.installLibraries();
    Ended tests =
        Tools.run(
            Tools.paymentService(), databaseOf(Service.PAYMENT), List.of(Tools.npm(), "test"));

    assertThat(tests.code()).as(tests.output()).isZero();
    assertThat(tests.output()).contains("pass 14", "fail 0", "skipped 0");
    assertThat(relayed(Service.PAYMENT, 3))
        .extracting(ServicesTest::id, KafkaMessage::key, KafkaMessage::value)
        .containsExactlyInAnyOrder(
            Tuple.tuple("node-committed", "p-1", "{\"written\":\"by Node.js\"}"),
            Tuple.tuple("node-plain", null, "{\"written\":\"by Node.js\"}"),
            Tuple.tuple("node-twice", "p-1", "{\"written\":\"by Node.js\"}"));
  }

  @Test
  void theTestsOfTheNotificationServicePassAndWhatTheyCommittedToWaybillsTableArrives()
      throws Exception {
    Languages.assumePython();
    Ended tests =
        Tools.run(
            Tools.notificationService(),
            databaseOf(Service.NOTIFICATION),
            List.of(Tools.python(), "-m", "unittest", "discover", "-s", "tests"));

    assertThat(tests.code()).as(tests.output()).isZero();
    assertThat(tests.output()).contains("Ran 12 tests").endsWith("OK\n");
    assertThat(relayed(Service.NOTIFICATION, 3))
        .extracting(ServicesTest::id, KafkaMessage::key, KafkaMessage::value)
        .containsExactlyInAnyOrder(
            Tuple.tuple("python-committed", "e-1", "{\"written\": \"by Python\"}"),
            Tuple.tuple("python-plain", null, "{\"written\": \"by Python\"}"),
            Tuple.tuple("python-twice", null, "{\"written\": \"by Python\"}"));
  }

  private static String id(KafkaMessage message) {
    return message.headers().getOrDefault("waybill-event-id", "none");
  }

  /** What arrives from Waybill's own table until so many have. */
  private static List<KafkaMessage> relayed(Service service, int expected) throws Exception {
    String topic = "own-" + service.database();
    kafka.createTopic(topic, 1, Map.of());
    try (KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(topic));
        Waybill relay =
            Waybill.relay("services")
                .outbox(postgres.dataSource(service.database()))
                .broker(KafkaBroker.at(kafka.bootstrapServers()))
                .route(topic)
                .start()) {
      await().atMost(PATIENCE).until(() -> tail.count() >= expected);
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
      return tail.messages();
    }
  }
}

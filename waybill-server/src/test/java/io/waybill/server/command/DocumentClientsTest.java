package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.InstalledProgram;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Documented systems whose producer is one relay, configured by the page for them. Whatever writes
 * and consumes knows the documents alone: psql, and consumers in Node.js and Python.
 */
@Tag("server")
@Tag("long")
class DocumentClientsTest {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));
  private static final List<String> QUEUES =
      List.of(
          "notification.restaurant",
          "notification.customer",
          "notification.agency",
          "notification.admin");

  @TempDir Path folder;
  private RelayProcesses relays;

  @BeforeAll
  static void installLibraries() throws Exception {
    InstalledProgram.assumeThere("psql", "postgresql-client");
    String output = run(List.of(node("npm"), "ci", "--no-audit", "--no-fund"));
    assertThat(output).contains("added");
  }

  @BeforeEach
  void prepare() {
    relays = new RelayProcesses(folder);
  }

  @AfterEach
  void stop() {
    relays.close();
  }

  /** The four scenarios of failure of its document, one after the other. */
  @Test
  void aNotificationOutboxReachesItsConsumerInNodeJs() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        RabbitServer rabbit = RabbitServer.launch()) {
      Path config =
          system(
              postgres,
              "notification",
              "Notification outbox",
              Map.entry("addresses", "127.0.0.1:" + rabbit.port()));
      Process relay = relays.start(config, PageSetup.SECRETS);
      List<String> consumer =
          Stream.concat(Stream.of(node("node"), "amqp.js", rabbit.uri()), QUEUES.stream()).toList();
      try (ClientProcess client = new ClientProcess(Map.of(), consumer)) {
        for (String person : List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN")) {
          notify(postgres, "to-" + person, person);
        }
        arrived(client, 4);
        assertThat(client.messages())
            .extracting(m -> m.path("place").asString())
            .containsExactlyInAnyOrderElementsOf(QUEUES);
        assertThat(client.messages())
            .allSatisfy(
                m -> {
                  assertThat(m.path("body").path("payload").path("n").asString()).isEqualTo("1");
                  assertThat(m.path("body").path("event_type").asString())
                      .isEqualTo("USER_REGISTERED");
                });
        settled(postgres, 4);

        rabbit.stop();
        notify(postgres, "broker-down", "ADMIN");
        assertThat(psql(postgres, "select status from event_outbox where event_id = 'broker-down'"))
            .isEqualTo("PENDING");
        rabbit.start();
        arrived(client, 5);
        settled(postgres, 5);

        postgres.kill();
        postgres.start();
        notify(postgres, "database-down", "ADMIN");
        arrived(client, 6);
        settled(postgres, 6);

        for (int i = 0; i < 50; i++) {
          notify(postgres, "crash-" + i, "ADMIN");
          if (i == 25) {
            relay.destroyForcibly().waitFor();
          }
        }
        relays.start(config, PageSetup.SECRETS);
        settled(postgres, 56);
        await().atMost(LIMIT).until(() -> ids(client).distinct().count() == 56);
      }

      try (ClientProcess crashing = new ClientProcess(Map.of("CRASH_AT", "3"), consumer)) {
        for (int i = 0; i < 5; i++) {
          notify(postgres, "listener-" + i, "ADMIN");
        }
        await().atMost(LIMIT).until(() -> !crashing.isAlive());
      }
      try (ClientProcess next = new ClientProcess(Map.of(), consumer)) {
        await()
            .atMost(LIMIT)
            .untilAsserted(
                () ->
                    assertThat(ids(next).toList())
                        .containsExactly("listener-2", "listener-3", "listener-4"));
      }
    }
  }

  /** Two workers, and a message that no broker takes among others. */
  @Test
  void aWalletReachesItsConsumerInNodeJs() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      String topic = "FundsAdded-out-0";
      kafka.createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
      Path config =
          system(
              postgres,
              "wallet",
              "Wallet",
              Map.entry("bootstrap-servers", kafka.bootstrapServers()));
      relays.start(config, PageSetup.SECRETS);
      relays.start(config, PageSetup.SECRETS);
      try (ClientProcess client =
          new ClientProcess(
              Map.of(), List.of(node("node"), "kafka.js", kafka.bootstrapServers(), topic))) {
        fund(postgres, 0, 100, "''");
        fund(postgres, 100, 101, "repeat('x', 30000)");
        fund(postgres, 101, 300, "''");
        // The poison message is of wallet 0, which has 19 more behind it.
        arrived(client, 280);
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    psql(postgres, "select min(id), count(*) from outbox where not sent")
                        .equals("101|20"));
        Map<String, List<Integer>> numbers =
            client.messages().stream()
                .map(m -> m.path("body"))
                .collect(
                    Collectors.groupingBy(
                        body -> body.path("wallet").asString(),
                        Collectors.mapping(body -> body.path("n").asInt(), Collectors.toList())));
        assertThat(numbers).hasSize(10).allSatisfy((wallet, all) -> assertThat(all).isSorted());
        assertThat(client.messages()).as("nothing twice").hasSize(280);
      }
    }
  }

  @Test
  void theTableEventOutboxIsSeenByPsqlAndReachesItsConsumerInPython() throws Exception {
    UnpackedServer.PYTHON.assumeThere();
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      kafka.createTopic("orders-events", 3, Map.of());
      Path config =
          system(
              postgres,
              "event-outbox",
              "Table event_outbox",
              Map.entry("bootstrap-servers", kafka.bootstrapServers()));
      new PageSetup(folder, postgres.jdbcUrl()).createViews();
      psql(
          postgres,
          """
          insert into event_outbox (event_key, id, entity_table, entity_pk, event_type, payload)
          select gen_random_uuid(), n, 'orders', 'o-' || n % 7, 'order.placed',
            jsonb_build_object('n', n)
          from generate_series(1, 70) n""");
      assertThat(psql(postgres, "select count(*) from vw_event_outbox_due")).isEqualTo("70");
      relays.start(config, PageSetup.SECRETS);
      try (ClientProcess client =
          new ClientProcess(
              Map.of(),
              List.of(
                  UnpackedServer.PYTHON.starter("python3").toString(),
                  "kafka.py",
                  kafka.bootstrapServers(),
                  "orders-events"))) {
        arrived(client, 70);
        Map<String, List<Integer>> numbers =
            client.messages().stream()
                .collect(
                    Collectors.groupingBy(
                        m -> m.path("key").asString(),
                        Collectors.mapping(
                            m -> m.path("body").path("n").asInt(), Collectors.toList())));
        assertThat(numbers)
            .containsOnlyKeys(IntStream.range(0, 7).mapToObj(i -> "o-" + i).toList())
            .allSatisfy((key, all) -> assertThat(all).hasSize(10).isSorted());
      }
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  psql(
                          postgres,
                          """
                          select count(*) from event_outbox
                          where status = 'sent' and processed_at is not null""")
                      .equals("70"));
      assertThat(psql(postgres, "select count(*) from vw_event_outbox_due")).isEqualTo("0");
      assertThat(psql(postgres, "select count(*) from vw_event_outbox_latency")).isNotEqualTo("0");
    }
  }

  private Path system(
      PostgresServer postgres, String layout, String heading, Map.Entry<String, String> broker)
      throws IOException, SQLException {
    try (Connection owner = DriverManager.getConnection(postgres.jdbcUrl())) {
      PageSetup.createRole(owner);
      PageSetup.createTable(owner, layout);
      return new PageSetup(folder, postgres.jdbcUrl()).carryOut(heading, broker, owner);
    }
  }

  private static void notify(PostgresServer postgres, String id, String person) throws Exception {
    psql(
        postgres,
        """
        insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values ('%s', 'USER_REGISTERED', '%s', 7, '{"n": "1"}')"""
            .formatted(id, person));
  }

  private static void fund(PostgresServer postgres, int from, int to, String padding)
      throws Exception {
    psql(
        postgres,
        """
        insert into outbox (event_type, correlation_id, payload)
        select 'FundsAdded', 'wallet-' || n %% 10,
          json_build_object('wallet', n %% 10, 'n', n, 'padding', %s)::text
        from generate_series(%d, %d) n"""
            .formatted(padding, from, to - 1));
  }

  /** Rows are marked as documented, and their records too. */
  private static void settled(PostgresServer postgres, int rows) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(
                      psql(
                          postgres,
                          """
                          select count(*) from event_outbox
                          where status = 'PROCESSED' and published_at is not null"""))
                  .isEqualTo(Integer.toString(rows));
              assertThat(
                      psql(
                          postgres,
                          "select count(*) from processed_event where status = 'SUCCESS'"))
                  .isEqualTo(Integer.toString(rows));
            });
  }

  private static void arrived(ClientProcess client, int messages) {
    await().atMost(LIMIT).until(() -> client.messages().size() >= messages);
  }

  private static Stream<String> ids(ClientProcess client) {
    return client.messages().stream()
        .map((JsonNode m) -> m.path("body").path("event_id").asString());
  }

  private static String node(String program) {
    if (InstalledProgram.answers(List.of(program, "--version"))) {
      return program;
    }
    UnpackedServer.NODE.assumeThere();
    return UnpackedServer.NODE.starter(program).toString();
  }

  /** Runs SQL as a person does; the values of the only row, or of none. */
  private static String psql(PostgresServer postgres, String sql) throws Exception {
    return run(List.of(
            "psql",
            "-XqAt",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            postgres.jdbcUrl().replace("jdbc:", ""),
            "-c",
            sql))
        .strip();
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(ClientProcess.FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}

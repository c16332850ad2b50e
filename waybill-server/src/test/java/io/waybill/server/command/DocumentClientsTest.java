package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.proof.server.UnpackedServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Documented systems whose producer is one relay, configured by the page for them. Whatever writes
 * and consumes knows the documents alone: clients of databases, and consumers in Node.js and
 * Python.
 */
@Tag("server")
@Tag("long")
class DocumentClientsTest extends DocumentClients {
  private static final List<String> QUEUES =
      List.of(
          "notification.restaurant",
          "notification.customer",
          "notification.agency",
          "notification.admin");

  /** The four scenarios of failure of its document, one after the other. */
  @Test
  void aNotificationOutboxReachesItsConsumerInNodeJs() throws Exception {
    try (ClientDatabase database = ClientDatabase.launch(DatabaseKind.POSTGRESQL);
        RabbitServer rabbit = RabbitServer.launch()) {
      Path config =
          system(
              database,
              "notification",
              "Notification outbox",
              Map.entry("addresses", "127.0.0.1:" + rabbit.port()));
      Process relay = relays.start(config, PageSetup.SECRETS);
      List<String> consumer =
          Stream.concat(Stream.of(node("node"), "amqp.js", rabbit.uri()), QUEUES.stream()).toList();
      try (ClientProcess client = new ClientProcess(Map.of(), consumer)) {
        for (String person : List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN")) {
          notify(database, "to-" + person, person);
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
        settled(database, 4);

        rabbit.stop();
        notify(database, "broker-down", "ADMIN");
        assertThat(database.ask("select status from event_outbox where event_id = 'broker-down'"))
            .isEqualTo("PENDING");
        rabbit.start();
        arrived(client, 5);
        settled(database, 5);

        database.server().kill();
        database.server().start();
        notify(database, "database-down", "ADMIN");
        arrived(client, 6);
        settled(database, 6);

        for (int i = 0; i < 50; i++) {
          notify(database, "crash-" + i, "ADMIN");
          if (i == 25) {
            relay.destroyForcibly().waitFor();
          }
        }
        relays.start(config, PageSetup.SECRETS);
        settled(database, 56);
        await().atMost(LIMIT).until(() -> ids(client).distinct().count() == 56);
      }

      try (ClientProcess crashing = new ClientProcess(Map.of("CRASH_AT", "3"), consumer)) {
        for (int i = 0; i < 5; i++) {
          notify(database, "listener-" + i, "ADMIN");
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
  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void aWalletReachesItsConsumerInNodeJs(DatabaseKind kind) throws Exception {
    try (ClientDatabase database = ClientDatabase.launch(kind);
        KafkaServer kafka = KafkaServer.launch()) {
      String topic = "FundsAdded-out-0";
      kafka.createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
      Path config =
          system(
              database,
              "wallet",
              "Wallet",
              Map.entry("bootstrap-servers", kafka.bootstrapServers()));
      relays.start(config, PageSetup.SECRETS);
      relays.start(config, PageSetup.SECRETS);
      try (ClientProcess client =
          new ClientProcess(
              Map.of(), List.of(node("node"), "kafka.js", kafka.bootstrapServers(), topic))) {
        fund(database, 0, 100, "''");
        fund(database, 100, 101, "repeat('x', 30000)");
        fund(database, 101, 300, "''");
        // The poison message is of wallet 0, which has 19 more behind it.
        arrived(client, 280);
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    database
                        .ask(
                            """
                            select min(correlation_id), max(correlation_id), count(*)
                            from outbox where not sent""")
                        .equals("wallet-0|wallet-0|20"));
        assertThat(numbers(client, m -> m.path("body").path("wallet").asString()))
            .hasSize(10)
            .allSatisfy((wallet, all) -> assertThat(all).isSorted());
        assertThat(client.messages()).as("nothing twice").hasSize(280);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTableEventOutboxIsSeenByAClientAndReachesItsConsumerInPython(DatabaseKind kind)
      throws Exception {
    UnpackedServer.PYTHON.assumeThere();
    if (kind == DatabaseKind.MYSQL) {
      UnpackedServer.MYSQL.assumeThere();
    }
    try (ClientDatabase database = ClientDatabase.launch(kind);
        KafkaServer kafka = KafkaServer.launch()) {
      kafka.createTopic("orders-events", 3, Map.of());
      Path config =
          system(
              database,
              "event-outbox",
              "Table event_outbox",
              Map.entry("bootstrap-servers", kafka.bootstrapServers()));
      page(database).createViews();
      database.ask(
          """
          insert into event_outbox (event_key, id, entity_table, entity_pk, event_type, payload)
          with recursive numbers (n) as
            (select 1 union all select n + 1 from numbers where n < 70)
          select uuid(), n, 'orders', concat('o-', n % 7), 'order.placed', json_object('n', n)
          from numbers""");
      assertThat(database.ask("select count(*) from vw_event_outbox_due")).isEqualTo("70");
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
        assertThat(numbers(client, m -> m.path("key").asString()))
            .containsOnlyKeys(IntStream.range(0, 7).mapToObj(i -> "o-" + i).toList())
            .allSatisfy((key, all) -> assertThat(all).hasSize(10).isSorted());
      }
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  database
                      .ask(
                          """
                          select count(*) from event_outbox
                          where status = 'sent' and processed_at is not null""")
                      .equals("70"));
      assertThat(database.ask("select count(*) from vw_event_outbox_due")).isEqualTo("0");
      assertThat(database.ask("select count(*) from vw_event_outbox_latency")).isNotEqualTo("0");
    }
  }

  private static void notify(ClientDatabase database, String id, String person) throws Exception {
    database.ask(
        """
        insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values ('%s', 'USER_REGISTERED', '%s', 7, '{"n": "1"}')"""
            .formatted(id, person));
  }

  private static void fund(ClientDatabase database, int from, int to, String padding)
      throws Exception {
    database.ask(
        """
        insert into outbox (event_type, correlation_id, payload)
        with recursive numbers (n) as
          (select %1$d union all select n + 1 from numbers where n < %2$d)
        select 'FundsAdded', concat('wallet-', n %% 10),
          json_object('wallet', n %% 10, 'n', n, 'padding', %3$s)
        from numbers"""
            .formatted(from, to - 1, padding));
  }

  /** Rows are marked as documented, and their records too. */
  private static void settled(ClientDatabase database, int rows) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(
                      database.ask(
                          """
                          select count(*) from event_outbox
                          where status = 'PROCESSED' and published_at is not null"""))
                  .isEqualTo(Integer.toString(rows));
              assertThat(
                      database.ask("select count(*) from processed_event where status = 'SUCCESS'"))
                  .isEqualTo(Integer.toString(rows));
            });
  }

  private static Stream<String> ids(ClientProcess client) {
    return client.messages().stream().map(m -> m.path("body").path("event_id").asString());
  }
}

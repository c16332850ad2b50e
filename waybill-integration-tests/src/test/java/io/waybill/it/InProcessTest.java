package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.database.ConnectionFactory;
import io.waybill.kafka.KafkaBroker;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.proof.oracle.KafkaSpy;
import io.waybill.proof.oracle.Ledger;
import io.waybill.proof.oracle.Oracle;
import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.Polling;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outbox and relay inside a plain Java service. */
@Tag("long")
@Tag("server")
class InProcessTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));
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

  /** A database with the outbox and a ledger, and a topic of the same name. */
  private static Connection create(String name) throws SQLException {
    postgres.createDatabase(name);
    kafka.createTopic(name, 4, Map.of());
    Connection connection = postgres.dataSource(name).getConnection();
    Schemas.apply(connection);
    Ledger.create(connection);
    return connection;
  }

  private static KafkaSpy spy(String name) {
    return new KafkaSpy(kafka.bootstrapServers(), List.of(name), "waybill-event-id");
  }

  private static RelayBuilder builder(String name) {
    return Waybill.relay(name)
        .outbox(ConnectionFactory.postgres(postgres.jdbcUrl(name), new Properties()))
        .broker(KafkaBroker.at(kafka.bootstrapServers()))
        .route(name);
  }

  @Test
  void eventsOfCommittedTransactionsArriveOnceInOrder() throws Exception {
    try (Connection connection = create("plain");
        KafkaSpy spy = spy("plain");
        Waybill waybill = builder("plain").start()) {
      write(connection, waybill, 3_000);
      Verdict verdict = converge(connection, spy);
      assertThat(verdict.clean()).as(verdict.toString()).isTrue();
      assertThat(verdict.duplicates()).isZero();
      assertThat(texts(connection, CONNECTIONS))
          .containsExactly("lanes", "lock", "reader", "settle");
      assertThat(waybill.stop(Duration.ofSeconds(10))).isTrue();
      assertThat(texts(connection, "select count(*) from waybill_outbox")).containsExactly("0");
    }
  }

  /** What the relay's connections are for; these are all of them. */
  private static final String CONNECTIONS =
      """
      select replace(application_name, 'waybill plain ', '') from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() order by 1""";

  private static void write(Connection connection, Waybill waybill, int events)
      throws SQLException {
    connection.setAutoCommit(false);
    for (int i = 0; i < events; i++) {
      Shop.append(connection, waybill.outbox(), "order.placed", "key-" + i % 50, 20);
      if (i % 7 == 0) {
        connection.rollback();
      } else {
        connection.commit();
        waybill.outbox().committed();
      }
    }
  }

  private static Verdict converge(Connection connection, KafkaSpy spy) throws SQLException {
    var committed = Ledger.committed(connection);
    await().atMost(PATIENCE).until(() -> spy.distinct() >= committed.size());
    return Oracle.compare(committed, spy.copies(), Set.of());
  }

  @Tag("long")
  @Test
  void keptEventsAreNeverTouchedAndTheHappyPathLeavesTheSideTablesEmpty() throws Exception {
    try (Connection connection = create("kept");
        KafkaSpy spy = spy("kept")) {
      int committed;
      try (Waybill waybill = builder("kept").retention(Duration.ofDays(7)).start()) {
        write(connection, waybill, 200);
        converge(connection, spy);
        committed = Ledger.committed(connection).size();
        assertThat(waybill.stop(Duration.ofSeconds(10))).isTrue();
      }
      assertThat(
              texts(
                  connection,
                  "select count(*) from waybill_outbox_status where status = 'PUBLISHED'"))
          .containsExactly("" + committed);
      // Sessions report what they did when they end or rest.
      String published = "waybill_published " + committed + " 0 0";
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(texts(connection, INSERTED_UPDATED_DELETED))
                      .containsExactly(
                          "waybill_held 0 0 0",
                          "waybill_outbox 200 0 0",
                          published,
                          "waybill_row_state 0 0 0"));
    }
  }

  private static final String INSERTED_UPDATED_DELETED =
      """
      select concat_ws(' ', relname, n_tup_ins, n_tup_upd, n_tup_del) from pg_stat_user_tables
      where relname in ('waybill_outbox', 'waybill_published', 'waybill_held', 'waybill_row_state')
      order by relname""";

  @Test
  void aCommitThatIsToldIsReadAtOnce() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    try (Connection connection = create("nudged");
        KafkaSpy spy = spy("nudged");
        Waybill waybill =
            builder("nudged")
                .settings(InProcessTest::pollingOnceAMinute)
                .listener(
                    event -> {
                      if (event instanceof RelayEvent.Read) {
                        reads.incrementAndGet();
                      }
                    })
                .start()) {
      await().atMost(PATIENCE).until(() -> reads.get() == 1);
      connection.setAutoCommit(false);
      for (int i = 1; i <= 3; i++) {
        int distinct = i;
        Shop.append(connection, waybill.outbox(), "order.placed", "key", 1);
        connection.commit();
        waybill.outbox().committed();
        await()
            .atMost(Patience.of(Duration.ofSeconds(15)))
            .untilAsserted(() -> assertThat(spy.distinct()).isEqualTo(distinct));
      }
    }
  }

  @Tag("long")
  @Test
  void aServiceWakesTheRelayOfAnotherServiceIfToldTo() throws Exception {
    try (Connection connection = create("services");
        KafkaSpy spy = spy("services");
        Waybill owner =
            builder("services")
                .settings(InProcessTest::pollingOnceAMinute)
                .notifications(Duration.ofMillis(5))
                .start()) {
      await().atMost(PATIENCE).until(() -> texts(connection, FREE_LANES).equals(List.of("0")));
      // The second gets lanes only after its first look; until then all events are the first's.
      try (Waybill writer =
          builder("services")
              .settings(InProcessTest::pollingOnceAMinute)
              .notifications(Duration.ofMillis(5))
              .start()) {
        await().atMost(PATIENCE).until(() -> texts(connection, OWNERS).equals(List.of("2")));
        connection.setAutoCommit(false);
        for (int i = 0; i < 40; i++) {
          Shop.append(connection, writer.outbox(), "order.placed", "key-" + i, 1);
        }
        connection.commit();
        writer.outbox().committed();
        await()
            .atMost(Patience.of(Duration.ofSeconds(20)))
            .untilAsserted(() -> assertThat(spy.distinct()).isEqualTo(40));
        assertThat(owner.stop(Duration.ofSeconds(10))).isTrue();
      }
    }
  }

  private static final String FREE_LANES = "select count(*) from waybill_lane where fence is null";
  private static final String OWNERS =
      """
      select count(distinct fence) from waybill_lane
      where not exists (select 1 from waybill_lane where fence is null)""";

  private static EngineSettings pollingOnceAMinute(EngineSettings s) {
    return s.polling(Polling.fixedDelay(Duration.ofMinutes(1)));
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    return texts;
  }
}

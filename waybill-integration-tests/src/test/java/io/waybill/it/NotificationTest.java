package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.CommitNotifier;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Commits wake relays in other processes where that is switched on. */
@Tag("server")
@Tag("long")
class NotificationTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  private static PostgresServer postgres;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    postgres.close();
  }

  @Test
  void aCommitWakesARelayOfAnotherProcessThatHardlyPolls() throws SQLException {
    try (BrokerUnderTest broker = new KafkaUnderTest();
        World world = new World(postgres, broker, "notified");
        CommitNotifier notifier =
            CommitNotifier.start(outbox(world.url(), "public"), Duration.ofMillis(5));
        Connection connection = world.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), notifier);
      world.configure("listen: true\npoll: {interval: 1h}");
      Shop.append(connection, outbox, world.type(), "before", 1);
      connection.commit();
      world.relay("sleepy");
      // What was there at its start is read at once; from then on the relay looks once an hour.
      await().atMost(PATIENCE).until(() -> world.spy().distinct() == 1);
      await().atMost(PATIENCE).until(() -> world.count(LISTENERS) == 1);

      for (int i = 2; i <= 4; i++) {
        int distinct = i;
        Shop.append(connection, outbox, world.type(), "after", 1);
        connection.commit();
        outbox.committed();
        await()
            .atMost(Patience.of(Duration.ofSeconds(15)))
            .untilAsserted(() -> assertThat(world.spy().distinct()).isEqualTo(distinct));
      }
    }
  }

  private static final String LISTENERS =
      """
      select count(*) from pg_stat_activity
      where application_name like 'waybill % listener' and query = 'select 1'""";

  @Test
  void commitsInQuickSuccessionShareANotificationThatIsNotTheirs() throws SQLException {
    String url = postgres.createDatabase("shared");
    Duration pause = Duration.ofMillis(250);
    try (Connection hearer = open(url);
        Connection writer = open(url);
        CommitNotifier notifier = CommitNotifier.start(outbox(url, "public"), pause)) {
      Schemas.apply(writer);
      execute(hearer, "listen waybill_commit");
      writer.setAutoCommit(false);
      Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), notifier);
      long start = System.nanoTime();
      for (int i = 0; i < 500; i++) {
        outbox.append(writer, Event.builder("placed", "order", "1").json("{}").build());
        writer.commit();
        outbox.committed();
      }
      long elapsed = System.nanoTime() - start;
      List<PGNotification> heard = hear(hearer);

      assertThat(heard).hasSizeBetween(1, (int) (elapsed / pause.toNanos()) + 2);
      int business = writer.unwrap(PGConnection.class).getBackendPID();
      assertThat(heard)
          .allSatisfy(told -> assertThat(told.getParameter()).isEqualTo("public"))
          .noneMatch(told -> told.getPID() == business);
    }
  }

  /** What comes until nothing has come for a second. */
  private static List<PGNotification> hear(Connection connection) throws SQLException {
    List<PGNotification> heard = new ArrayList<>();
    PGNotification[] next;
    do {
      next = connection.unwrap(PGConnection.class).getNotifications(1_000);
      heard.addAll(List.of(next));
    } while (next.length > 0);
    return heard;
  }

  @Test
  void nobodyIsToldUnlessACommitIsTold() throws SQLException {
    String url = postgres.createDatabase("silent");
    try (Connection hearer = open(url);
        Connection writer = open(url);
        CommitNotifier notifier =
            CommitNotifier.start(outbox(url, "public"), Duration.ofMillis(1))) {
      Schemas.apply(writer);
      execute(hearer, "listen waybill_commit");
      writer.setAutoCommit(false);
      Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), notifier);
      outbox.append(writer, Event.builder("placed", "order", "1").json("{}").build());
      writer.commit();

      assertThat(hear(hearer)).isEmpty();
    }
  }

  @Test
  void anUnreachableDatabaseDelaysNoCommit() {
    String nowhere = "jdbc:postgresql://127.0.0.1:9/x?user=x";
    try (CommitNotifier notifier =
        CommitNotifier.start(outbox(nowhere, "public"), Duration.ofMillis(1))) {
      long start = System.nanoTime();
      for (int i = 0; i < 100_000; i++) {
        notifier.wake();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void aPauseOutOfItsBoundsIsRefused() {
    PostgresOutbox tables = outbox("jdbc:postgresql://127.0.0.1:9/x", "public");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommitNotifier.start(tables, Duration.ZERO))
        .withMessage("pause must be from 1 ms to 1 minute, is PT0S");
  }

  private static PostgresOutbox outbox(String url, String schema) {
    return PostgresOutbox.of(
        ConnectionFactory.postgres(url, new Properties()),
        PostgresOptions.ofDefaults().schema(schema));
  }

  private static Connection open(String url) throws SQLException {
    return DriverManager.getConnection(url);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

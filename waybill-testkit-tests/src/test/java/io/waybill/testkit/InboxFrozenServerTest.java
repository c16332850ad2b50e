package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.InboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The server stands still while handlers are in their statements, and their time is over: the
 * inbox's own thread cuts their connections without waiting for the server.
 */
@Tag("server")
@Tag("long")
class InboxFrozenServerTest {
  private static final int WORKERS = 8;

  private final HandBroker broker = new HandBroker();
  private final AtomicInteger inHandlers = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  // The inbox's own thread tells its gauges once a second.
  private final AtomicLong lastGauges = new AtomicLong();
  private final AtomicLong longestPause = new AtomicLong();

  @Test
  void aMariaDbThatStandsStillDoesNotHoldUpTheInbox() throws Exception {
    try (DatabaseServer server = MariaDbServer.launch()) {
      holdsUpNobody(
          server,
          ConnectionFactory.mariaDb(server.createDatabase("shop"), new Properties()),
          "select sleep(60)");
    }
  }

  @Test
  void norDoesAPostgres() throws Exception {
    try (DatabaseServer server = PostgresServer.launch()) {
      holdsUpNobody(
          server,
          ConnectionFactory.postgres(server.jdbcUrl(), new Properties()),
          "select pg_sleep(60)");
    }
  }

  private void holdsUpNobody(DatabaseServer server, ConnectionFactory connections, String sleep)
      throws Exception {
    prepare(server.kind(), connections);
    try (InboxStore store =
        JdbcInboxStore.of(connections, server.kind(), "a", InboxOptions.ofDefaults())) {
      store.open();
      Inbox inbox =
          Inbox.builder()
              .store(store)
              .subscriber(broker)
              .deadLetters(broker, Transport.KAFKA)
              .settings(defaults -> defaults.workers(WORKERS))
              .handlerTimeout(Duration.ofSeconds(2))
              .listener(this::hear)
              .handler(HandBroker.TYPE, (event, connection) -> sleep(connection, sleep))
              .start();
      try {
        broker.deliver(IntStream.range(0, WORKERS).mapToObj(n -> (char) ('a' + n) + "1").toList());
        Awaitility.await().until(() -> inHandlers.get() == WORKERS);
        server.freeze();

        // Told by that thread.
        Awaitility.await()
            .atMost(Patience.of(Duration.ofMinutes(1)))
            .until(() -> failed.get() >= WORKERS);
        assertThat(Duration.ofNanos(longestPause.get()))
            .as("longest turn of the inbox's own thread")
            .isLessThan(Duration.ofSeconds(4));
      } finally {
        server.thaw();
        inbox.stop(Duration.ZERO);
      }
    }
  }

  private static void prepare(DatabaseKind kind, ConnectionFactory connections)
      throws SQLException {
    try (Connection connection = connections.open()) {
      String schema =
          kind == DatabaseKind.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
      InboxSchema.of(kind, String.valueOf(schema), InboxTables.own()).apply(connection);
    }
  }

  private void sleep(Connection connection, String sleep) throws SQLException {
    inHandlers.incrementAndGet();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sleep);
    }
  }

  private void hear(InboxEvent event) {
    if (event instanceof InboxEvent.Retried) {
      failed.incrementAndGet();
    } else if (event instanceof InboxEvent.Gauges) {
      long now = System.nanoTime();
      long last = lastGauges.getAndSet(now);
      if (last != 0) {
        longestPause.accumulateAndGet(now - last, Math::max);
      }
    }
  }
}

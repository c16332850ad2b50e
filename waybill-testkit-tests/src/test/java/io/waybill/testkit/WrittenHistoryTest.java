package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.start.HistoryJob;
import io.waybill.internal.start.RelayHistory;
import io.waybill.jdbc.Schema;
import io.waybill.message.Event;
import io.waybill.message.Transport;
import io.waybill.observe.RelayEvent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What relays of applications leave behind, and what that costs them. */
@Tag("server")
class WrittenHistoryTest {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final double PER_CENT = 0.01;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final InMemoryBroker broker = new InMemoryBroker(Transport.KAFKA);
  private ConnectionFactory database =
      ConnectionFactory.postgres(PostgresFixture.SERVER.jdbcUrl(), new Properties());

  @BeforeEach
  void create() throws SQLException {
    String url = PostgresFixture.SERVER.createDatabase("history_" + NUMBERS.incrementAndGet());
    database = ConnectionFactory.postgres(url, new Properties());
    try (Connection connection = database.open()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
  }

  private Admin admin() {
    return PostgresOutbox.of(database, PostgresOptions.ofDefaults()).admin();
  }

  /** Publishes two events and stops. */
  private void relay(String name, UnaryOperator<RelayBuilder> change) throws SQLException {
    broker.clear();
    try (Connection connection = database.open();
        Waybill waybill =
            change
                .apply(Waybill.relay(name).outbox(database).broker(broker).route("orders"))
                .start()) {
      connection.setAutoCommit(false);
      for (String id : List.of("1", "2")) {
        waybill
            .outbox()
            .append(
                connection,
                Event.builder("order.placed", "order", id).id(name + id).json("{}").build());
      }
      connection.commit();
      waybill.outbox().committed();
      Awaitility.await().until(() -> broker.published().size() == 2);
    }
  }

  private long published() {
    try (Admin admin = admin()) {
      Instant now = Instant.now();
      return Rollups.of(admin)
          .list(now.minus(MINUTE.multipliedBy(10)), now, "orders", Rollups.Step.MINUTE)
          .items()
          .stream()
          .mapToLong(Rollup::published)
          .sum();
    }
  }

  @Test
  void historySurvivesRestartsAndAddsUpOverRelays() throws SQLException {
    relay("first", each -> each);
    assertThat(published()).isEqualTo(2);
    relay("second", each -> each);
    assertThat(published()).isEqualTo(4);
    relay("silent", each -> each.history(Duration.ZERO));
    assertThat(published()).isEqualTo(4);
  }

  @Test
  void aRelayPublishesWithoutTheTable() throws SQLException {
    try (Connection connection = database.open();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table waybill_rollup");
    }
    relay("without", each -> each);
    assertThat(broker.published()).hasSize(2);
    try (Admin admin = admin()) {
      assertThat(Rollups.of(admin).missing()).contains("waybill_rollup", "waybill schema apply");
    }
  }

  /** With a new connection each minute, as of a relay without a pool. */
  @Test
  void theThreadThatWritesNeedsLessThanAHalfPerCentOfItsTime() {
    for (int destinations : new int[] {5, 200}) {
      AtomicInteger minute = new AtomicInteger();
      Instant begin = Instant.parse("2026-01-31T12:00:00Z");
      RelayHistory history = new RelayHistory(() -> begin.plus(MINUTE.multipliedBy(minute.get())));
      HistoryJob job = new HistoryJob("orders", admin(), Duration.ofDays(36_500), history);
      long writing = 0;
      long listening = 0;
      int events = 0;
      for (int turn = 0; turn < 60; turn++) {
        long start = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < 10_000; i++) {
          history.on(new RelayEvent.Published("e", "t", null, "d" + i % destinations, 5, 5, 5));
        }
        long listened = threads.getCurrentThreadCpuTime();
        minute.incrementAndGet();
        job.turn();
        listening += listened - start;
        writing += threads.getCurrentThreadCpuTime() - listened;
        events += 10_000;
      }
      job.close(Duration.ZERO);
      System.out.printf(
          "%d destinations: %.2f ms of CPU a minute to write, %d ns an event to listen%n",
          destinations, writing / 60e6, listening / events);
      assertThat(writing / (60.0 * MINUTE.toNanos()))
          .as("share of a processor with %d destinations", destinations)
          .isLessThan(0.5 * PER_CENT);
    }
  }
}

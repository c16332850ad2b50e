package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.server.command.MovedSystem.NotificationSystem;
import io.waybill.server.command.MovedSystem.PolyshopSystem;
import io.waybill.server.command.MovedSystem.WalletSystem;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Producers of documented systems, replaced under load by what the page for them says and nothing
 * else, and put back the same way.
 */
@Tag("server")
@Tag("long")
class MoveAndBackTest {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final int RATE = 200;
  private static final int KEYS = 20;
  private static final int STAGE = 3_000;

  private static PostgresServer postgres;
  private static KafkaServer kafka;
  private static RabbitServer rabbit;

  @TempDir Path folder;
  private RelayProcesses relays;

  @BeforeAll
  static void launch() throws SQLException {
    postgres = PostgresServer.launch();
    try (Connection owner = DriverManager.getConnection(postgres.jdbcUrl())) {
      PageSetup.createRoles(owner, DatabaseKind.POSTGRESQL);
    }
    kafka = KafkaServer.launch();
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  static void end() {
    rabbit.close();
    kafka.close();
    postgres.close();
  }

  @BeforeEach
  void prepare() {
    relays = new RelayProcesses(folder);
  }

  @AfterEach
  void stop() {
    relays.close();
  }

  @Test
  void aNotificationProducerMovesAndComesBack() throws Exception {
    try (MovedSystem system = new NotificationSystem(rabbit)) {
      moveAndBack(system);
    }
  }

  @Test
  void aWalletsProducerMovesAndComesBack() throws Exception {
    try (MovedSystem system = new WalletSystem(kafka)) {
      moveAndBack(system);
    }
  }

  @Test
  void aPolyshopWorkerMovesAndComesBack() throws Exception {
    try (MovedSystem system = new PolyshopSystem(kafka)) {
      moveAndBack(system);
    }
  }

  private void moveAndBack(MovedSystem system) throws Exception {
    String url = postgres.createDatabase("moved_" + system.layout());
    try (Connection owner = DriverManager.getConnection(url)) {
      PageSetup page = new PageSetup(folder, DatabaseKind.POSTGRESQL, url.replaceAll("\\?.*", ""));
      page.createTable(owner, system.layout());
      try (Silence silence = new Silence(system);
          Writers writers = new Writers(DriverManager.getConnection(url), system.insert())) {
        HomeMadeProducer producer = system.producer(DriverManager.getConnection(url));
        producer.start();
        awaitMore(system);

        Path config = page.carryOut(system.heading(), system.broker(), owner);
        producer.stop();
        Process relay = relays.start(config, PageSetup.SECRETS);
        awaitMore(system);

        relays.stop(relay);
        TableSchema.run(owner, PageSetup.block(system.wayBack(), "sql"));
        HomeMadeProducer again = system.producer(DriverManager.getConnection(url));
        again.start();
        awaitMore(system);

        writers.end();
        await().atMost(LIMIT).until(() -> waiting(owner, system) == 0);
        again.stop();
        await().atMost(LIMIT).until(() -> system.arrived() >= writers.written);
        assertThat(silence.longest()).isLessThan(LONGEST_SILENCE);
        eachOnceAndInOrder(system.arrivals(), writers.written);
      }
    }
  }

  private static void awaitMore(MovedSystem system) {
    int before = system.arrived();
    await().atMost(LIMIT).until(() -> system.arrived() >= before + STAGE);
  }

  private static int waiting(Connection connection, MovedSystem system) throws SQLException {
    try (var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select count(*) from " + system.table() + " where " + system.waiting())) {
      result.next();
      return result.getInt(1);
    }
  }

  /** Payloads are {@code {"k":KEY,"n":NUMBER}}. */
  private static void eachOnceAndInOrder(List<String> arrivals, int written) {
    Map<String, Integer> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (String body : arrivals) {
      String key = body.replaceAll(".*\"k\": ?(\\d+).*", "$1");
      int number = Integer.parseInt(body.replaceAll(".*\"n\": ?(\\d+).*", "$1"));
      Integer before = last.put(key, number);
      if (number != (before == null ? Integer.parseInt(key) : before + KEYS)) {
        wrong.add(body + " after " + before);
      }
    }
    assertThat(wrong).as("neither lost, nor twice, nor out of order").isEmpty();
    assertThat(arrivals).hasSize(written);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** One thread that writes events at an even rate until it is closed. */
  private static final class Writers implements AutoCloseable {
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Connection connection;
    private final String insert;
    private final Thread thread = new Thread(this::run, "writer");
    private volatile int written;
    private volatile @Nullable Exception failure;

    Writers(Connection connection, String insert) {
      this.connection = connection;
      this.insert = insert;
      thread.start();
    }

    private void run() {
      long start = System.nanoTime();
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        int number = 0;
        while (!stopping.await(due(start, number), TimeUnit.NANOSECONDS)) {
          statement.setString(1, "%08d".formatted(number));
          statement.setString(2, Integer.toString(number % KEYS));
          statement.setString(3, "{\"k\":%d,\"n\":%d}".formatted(number % KEYS, number));
          statement.executeUpdate();
          written = ++number;
        }
      } catch (Exception e) {
        failure = e;
      }
    }

    private static long due(long start, int number) {
      return start + number * TimeUnit.SECONDS.toNanos(1) / RATE - System.nanoTime();
    }

    void end() throws SQLException {
      stopping.countDown();
      join(thread);
      connection.close();
      assertThat(failure).isNull();
    }

    @Override
    public void close() throws SQLException {
      end();
    }
  }

  /** The longest time in which nothing arrived. */
  private static final class Silence implements AutoCloseable {
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile long longest;

    Silence(MovedSystem system) {
      thread = new Thread(() -> watch(system), "silence");
      thread.start();
    }

    private void watch(MovedSystem system) {
      int before = 0;
      long since = System.nanoTime();
      try {
        while (!stopping.await(200, TimeUnit.MILLISECONDS)) {
          int now = system.arrived();
          if (now > before) {
            longest = Math.max(longest, System.nanoTime() - since);
            since = System.nanoTime();
            before = now;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    Duration longest() {
      return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
      stopping.countDown();
      join(thread);
    }
  }
}

package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A minute without database: the process lives, says why it does nothing, and goes on at once. */
@Tag("server")
@Tag("long")
class RelayOutageTest {
  private static final Pattern PORT = Pattern.compile("metrics on http://127.0.0.1:([0-9]+)");
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(90));
  private static final Duration OUTAGE = Duration.ofSeconds(60);
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(15);
  private static final Duration BACK_WITHIN = Duration.ofSeconds(5);
  private static final AtomicInteger TESTS = new AtomicInteger();
  private static PostgresServer database;
  private static KafkaServer kafka;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String topic = "outage-" + TESTS.incrementAndGet();
  @TempDir private Path folder;
  private Path config = Path.of("unset");
  private RelayProcesses relays;
  private Proxy proxy;

  /** How a server is away. */
  enum Away {
    REFUSING {
      @Override
      void begin(Proxy proxy) {
        proxy.refuse();
        proxy.reset();
      }
    },
    HANGING {
      @Override
      void begin(Proxy proxy) {
        proxy.add(Toxic.blackHole());
      }
    };

    abstract void begin(Proxy proxy);
  }

  @BeforeAll
  static void launch() {
    database = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    database.close();
  }

  @BeforeEach
  void create() throws SQLException, IOException {
    sql("drop schema public cascade; create schema public");
    relays = new RelayProcesses(folder);
    proxy = Proxy.start(Protocol.POSTGRESQL, database.port());
    Path direct = write("direct", database.port());
    config = write("proxied", proxy.port());
    assertThat(CommandRun.on(direct, Map.of(), "schema", "apply").code()).isEqualTo(ExitCode.OK);
  }

  private Path write(String name, int port) throws IOException {
    return CommandRun.write(
        Files.createDirectory(folder.resolve(name)),
        """
        server: {port: 0}
        waybill:
          relay: {name: relay-t}
          outboxes:
            orders:
              database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
              kafka:
                bootstrap-servers: ["%s"]
                create-topics: {partitions: 1, replication-factor: 1}
              routes:
                default: {target: %s}
        """
            .formatted(port, kafka.bootstrapServers(), topic));
  }

  @AfterEach
  void end() {
    relays.close();
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatIsAwayFromTheStartIsAwaited(Away away) throws Exception {
    away.begin(proxy);
    relays.start(config, Map.of());
    insert("e1");
    outage();

    proxy.heal();
    publishedSoon();
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatGoesAwayIsAwaited(Away away) throws Exception {
    relays.start(config, Map.of());
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
    insert("e1");
    publishedSoon();

    away.begin(proxy);
    insert("e2");
    outage();

    proxy.heal();
    publishedSoon();
    await().atMost(TOLD_WITHIN).until(() -> get("/readyz").statusCode() == 200);
  }

  private void outage() throws Exception {
    long began = System.nanoTime();
    await().atMost(TOLD_WITHIN).until(() -> get("/readyz").statusCode() == 503);
    assertThat(get("/readyz").body()).contains("\"orders\":");
    await()
        .during(OUTAGE.minusNanos(System.nanoTime() - began))
        .atMost(OUTAGE.plusSeconds(20))
        .until(() -> get("/livez").statusCode() == 200 && get("/readyz").statusCode() == 503);
  }

  /** A published event leaves the table. */
  private static void publishedSoon() {
    await()
        .atMost(BACK_WITHIN)
        .until(
            () -> {
              try (Connection connection = database.dataSource().getConnection();
                  Statement statement = connection.createStatement();
                  ResultSet left = statement.executeQuery("select count(*) from waybill_outbox")) {
                return left.next() && left.getInt(1) == 0;
              }
            });
  }

  private HttpResponse<String> get(String path) throws Exception {
    await().atMost(LIMIT).until(() -> PORT.matcher(log()).find());
    Matcher matcher = PORT.matcher(log());
    assertThat(matcher.find()).isTrue();
    URI uri = URI.create("http://127.0.0.1:" + matcher.group(1) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private String log() throws IOException {
    return relays.log();
  }

  private static void insert(String id) throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values ('%s', 'placed', 'order', '1', '{"n":1}')
        """
            .formatted(id));
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

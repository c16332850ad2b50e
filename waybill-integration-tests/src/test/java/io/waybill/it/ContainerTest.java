package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay as a container platform runs it: configured by variables alone, with secrets that are
 * replaced while events flow, and stopped under load.
 */
@Tag("server")
@Tag("long")
class ContainerTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  private static final int KEYS = 10;
  private static final String TOPIC = "container";

  @TempDir private static Path servers;
  private static PostgresServer database;
  private static KafkaServer kafka;
  private static Certificates certificates;

  private int version;

  @BeforeAll
  static void launch() throws SQLException, IOException, InterruptedException {
    assumeTrue(Container.canRun(), "needs a root user, unshare, and a JDK in /usr/lib/jvm");
    certificates =
        new Certificates(servers)
            .authority("root")
            .issue("root", "broker", "ip:127.0.0.1")
            .issue("root", "client", "dns:client");
    kafka =
        KafkaServer.launch(
            "SSL",
            Map.of(
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.location",
                certificates.file("broker.p12").toString(),
                "ssl.keystore.password",
                Certificates.PASSWORD,
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                certificates.file("root.pem").toString(),
                "listener.name.client.ssl.client.auth",
                "required"));
    kafka.createTopic(TOPIC, 1, Map.of());
    database = PostgresServer.launch();
    sql("create role relay login");
    Path rules = database.data().resolve("pg_hba.conf");
    Files.writeString(
        rules, "host all relay 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
    sql("select pg_reload_conf()");
    try (Connection connection = database.dataSource().getConnection()) {
      int applied = Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      assertThat(applied).isPositive();
    }
    sql("grant all on all tables in schema public to relay");
    sql("grant all on all sequences in schema public to relay");
  }

  @AfterAll
  static void close() {
    if (kafka != null) {
      kafka.close();
      database.close();
    }
  }

  @Test
  void eventsFlowWhileSecretsAreReplacedAndATermSignalHandsTheLanesOver() throws Exception {
    Path folder = Files.createTempDirectory("waybill-container-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path secrets = Files.createDirectory(folder.resolve("secrets"));
    replace(secrets);
    try (ProcessGuard guard = new ProcessGuard(folder);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(TOPIC));
        Load load = new Load()) {
      Container relay = Container.run(guard, folder, "first", secrets, variables());
      for (int i = 1; i <= 3; i++) {
        arrived(relay, tail, tail.count() + 500);
        load.check();
        replace(secrets);
        // Connections that are there outlive a password; the next ones need the new one.
        sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'relay'");
      }
      arrived(relay, tail, tail.count() + 500);
      load.check();
      long megabytes = relay.megabytes();
      assertThat(relay.stop()).as(relay.log()).isZero();

      assertThat(texts("select count(*) from waybill_session")).containsExactly("0");
      assertThat(texts("select count(*) from waybill_lane where fence is not null"))
          .containsExactly("0");
      assertThat(megabytes).isLessThan(256);
      assertThat(relay.log()).doesNotContain("secret-", "BEGIN PRIVATE KEY");

      load.end();
      Container next = Container.run(guard, folder, "second", secrets, variables());
      arrived(next, tail, load.appended());
      assertThat(next.stop()).as(next.log()).isZero();
      assertEachOnceAndInOrder(tail, load.appended());
    }
  }

  private static Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("SPRING_CONFIG_IMPORT", "configtree:" + Container.SECRETS + "/");
    variables.put("SERVER_PORT", "0");
    variables.put(
        "WAYBILL_OUTBOXES_ORDERS_DATABASE_URL",
        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(database.port()));
    variables.put("WAYBILL_OUTBOXES_ORDERS_DATABASE_USERNAME", "relay");
    variables.put("WAYBILL_OUTBOXES_ORDERS_DATABASE_PASSWORD", "${database-password}");
    variables.put("WAYBILL_OUTBOXES_ORDERS_KAFKA_BOOTSTRAP_SERVERS", kafka.clientServers());
    variables.put("WAYBILL_OUTBOXES_ORDERS_KAFKA_SSL_BUNDLE", "kafka");
    variables.put("WAYBILL_OUTBOXES_ORDERS_ROUTES_DEFAULT_TARGET", TOPIC);
    String bundle = "SPRING_SSL_BUNDLE_PEM_KAFKA_";
    variables.put(bundle + "RELOADONUPDATE", "true");
    variables.put(bundle + "TRUSTSTORE_CERTIFICATE", "file:" + Container.SECRETS + "/root.pem");
    variables.put(bundle + "KEYSTORE_CERTIFICATE", "file:" + Container.SECRETS + "/client.pem");
    variables.put(bundle + "KEYSTORE_PRIVATEKEY", "file:" + Container.SECRETS + "/client.key");
    variables.put("SPRING_SSL_BUNDLE_WATCH_FILE_QUIETPERIOD", "100ms");
    // A platform sets such for services that are called waybill and waybill-http.
    variables.put("WAYBILL_PORT", "tcp://10.0.0.7:8080");
    variables.put("WAYBILL_PORT_8080_TCP_ADDR", "10.0.0.7");
    variables.put("WAYBILL_HTTP_SERVICE_HOST", "10.0.0.8");
    variables.put("WAYBILL_HTTP_SERVICE_PORT", "80");
    return variables;
  }

  /** As Kubernetes does it: files with mode 0444 behind a link that is exchanged in one step. */
  private void replace(Path secrets) throws IOException, SQLException {
    version++;
    String password = "secret-" + version;
    Path fresh = Files.createDirectory(secrets.resolve("..version-" + version));
    Files.writeString(fresh.resolve("database-password"), password);
    for (String name : List.of("root.pem", "client.pem", "client.key")) {
      Files.copy(certificates.file(name), fresh.resolve(name));
    }
    try (var files = Files.list(fresh)) {
      for (Path file : files.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        Path link = secrets.resolve(file.getFileName());
        if (!Files.isSymbolicLink(link)) {
          Files.createSymbolicLink(link, Path.of("..data", file.getFileName().toString()));
        }
      }
    }
    Path link = Files.createSymbolicLink(secrets.resolve("..new"), fresh.getFileName());
    Files.move(
        link,
        secrets.resolve("..data"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sql("alter role relay password '" + password + "'");
  }

  private static void arrived(Container relay, KafkaTail tail, int count) {
    await()
        .atMost(PATIENCE)
        .failFast(() -> assertThat(relay.isAlive()).as(relay::log).isTrue())
        .untilAsserted(() -> assertThat(tail.count()).as(relay::log).isGreaterThanOrEqualTo(count));
  }

  private static void assertEachOnceAndInOrder(KafkaTail tail, int appended) {
    for (int key = 0; key < KEYS; key++) {
      int number = key;
      List<String> expected =
          IntStream.rangeClosed(1, appended)
              .filter(i -> i % KEYS == number)
              .mapToObj(Integer::toString)
              .toList();
      assertThat(
              tail.messages().stream()
                  .filter(message -> ("k" + number).equals(message.key()))
                  .map(KafkaMessage::value))
          .as("each event of k%d once and in order", key)
          .containsExactlyElementsOf(expected);
    }
  }

  private static List<String> texts(String query) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? List.of(rows.getString(1)) : List.of();
    }
  }

  private static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Appends 500 events a second, one in each transaction. */
  private static final class Load implements AutoCloseable {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger appended = new AtomicInteger();
    private final Connection connection;
    private final ScheduledFuture<?> work;
    private volatile boolean stopping;

    Load() throws SQLException {
      connection = database.dataSource().getConnection();
      work = thread.scheduleAtFixedRate(this::append, 0, 2, TimeUnit.MILLISECONDS);
    }

    private void append() {
      if (stopping) {
        return;
      }
      int next = appended.get() + 1;
      try (PreparedStatement insert =
          connection.prepareStatement(
              """
              insert into waybill_outbox
                (event_id, event_type, aggregate_type, aggregate_id, payload)
              values (?, 'order.placed', 'order', ?, convert_to(?, 'UTF8'))
              """)) {
        insert.setString(1, "e" + next);
        insert.setString(2, "k" + next % KEYS);
        insert.setString(3, Integer.toString(next));
        insert.executeUpdate();
        appended.set(next);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** A failed append fails the test. */
    void check() throws InterruptedException, ExecutionException, TimeoutException {
      if (work.isDone()) {
        work.get(1, TimeUnit.SECONDS);
      }
    }

    int appended() {
      return appended.get();
    }

    /** Waits for what is under way. */
    void end() throws InterruptedException, ExecutionException, TimeoutException {
      stopping = true;
      check();
      thread.shutdown();
      assertThat(thread.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws SQLException {
      thread.shutdownNow();
      connection.close();
    }
  }
}

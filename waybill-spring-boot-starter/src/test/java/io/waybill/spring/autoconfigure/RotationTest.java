package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Event;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Certificates and passwords that are replaced while events flow. */
@Tag("server")
@Tag("long")
class RotationTest {
  private static final int KEYS = 10;
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));

  @TempDir private Path folder;
  private final String topic = "rotation-" + UUID.randomUUID();

  private void put(Path source, String name) {
    try {
      // As an agent does it: no reader sees half a file.
      Path fresh = Files.copy(source, folder.resolve(name + ".new"));
      Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void putRightCertificate() {
    put(Path.of(TestServers.file("client.key")), "client.key");
    put(Path.of(TestServers.file("client.pem")), "client.pem");
  }

  private ConfigurableApplicationContext run(Tables tables) {
    TestServers.kafka().createTopic(topic, 1, Map.of());
    String bundle = "spring.ssl.bundle.pem.client.";
    return SmallApplication.run(
        tables.url(),
        "spring.ssl.bundle.watch.file.quiet-period=100ms",
        bundle + "reload-on-update=true",
        bundle + "truststore.certificate=file:" + TestServers.file("root.pem"),
        bundle + "keystore.certificate=file:" + folder.resolve("client.pem"),
        bundle + "keystore.private-key=file:" + folder.resolve("client.key"),
        "spring.kafka.bootstrap-servers=" + TestServers.kafka().clientServers(),
        "waybill.kafka.ssl-bundle=client",
        "waybill.routes.default.target=" + topic);
  }

  private KafkaTail tail() {
    return new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic));
  }

  @Test
  void aRenewedCertificateReachesTheRelay() throws Exception {
    Certificates foreign = new Certificates(Files.createDirectory(folder.resolve("foreign")));
    foreign.authority("other").issue("other", "client", "dns:client");
    put(foreign.file("client.key"), "client.key");
    put(foreign.file("client.pem"), "client.pem");
    try (ConfigurableApplicationContext context = run(Tables.create());
        KafkaTail tail = tail()) {
      SmallApplication.publish(context, "42");
      RelayLifecycle relay = context.getBean(RelayLifecycle.class);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> relay.unready().toString().contains("the broker accepts no messages"));

      putRightCertificate();

      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
      Awaitility.await().atMost(PATIENCE).until(() -> relay.unready().isEmpty());
    }
  }

  @Test
  void certificatesAreRenewedUnderLoadWithoutLossAndDuplicate() throws Exception {
    putRightCertificate();
    try (ConfigurableApplicationContext context = run(Tables.create());
        KafkaTail tail = tail();
        Load load = new Load(context)) {
      for (int i = 1; i <= 3; i++) {
        int next = i * 500;
        Awaitility.await().atMost(PATIENCE).until(() -> tail.count() >= next);
        putRightCertificate();
      }
      Awaitility.await().atMost(PATIENCE).until(() -> load.appended() >= 2_500);
      load.end();
      assertAll(tail, load);
    }
  }

  @Test
  void aPasswordIsReadAgainWhereItStandsInAFile() throws Exception {
    Path secrets = Files.createDirectory(folder.resolve("secrets"));
    TestServers.kafka().createTopic(topic, 1, Map.of());
    try (MariaDbServer server = MariaDbServer.launch()) {
      Tables tables = new Tables(server.createDatabase("legacy"));
      tables.run("create user relay identified by 'first'");
      tables.run("grant all on legacy.* to relay");
      Files.writeString(secrets.resolve("legacy-password"), "first\n");
      try (ConfigurableApplicationContext context =
              SmallApplication.run(
                  tables.url(),
                  "spring.config.import=configtree:" + secrets + "/",
                  "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
                  "waybill.outboxes.app.schema.mode=apply",
                  "waybill.outboxes.app.routes.default.target=" + topic,
                  "waybill.outboxes.app.database.url=jdbc:mariadb://127.0.0.1:"
                      + server.port()
                      + "/legacy",
                  "waybill.outboxes.app.database.properties.sslMode=disable",
                  "waybill.outboxes.app.database.username=relay",
                  "waybill.outboxes.app.database.password=${legacy-password}");
          KafkaTail tail = tail()) {
        RelayLifecycle relay = context.getBean(RelayLifecycle.class);
        Awaitility.await().atMost(PATIENCE).until(() -> relay.unready().isEmpty());

        Files.writeString(secrets.resolve("legacy-password"), "second\n");
        tables.run("alter user relay identified by 'second'");
        tables
            .texts("select id from information_schema.processlist where user = 'relay'")
            .forEach(id -> tables.run("kill " + id));
        tables.run(
            "insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id,"
                + " payload) values ('e1', 'order.placed', 'order', '42', '{}')");

        Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
      }
    }
  }

  private static void assertAll(KafkaTail tail, Load load) {
    int appended = load.appended();
    Awaitility.await().atMost(PATIENCE).until(() -> tail.count() >= appended);
    for (int key = 0; key < KEYS; key++) {
      String aggregate = "k" + key;
      int number = key;
      List<String> expected =
          IntStream.rangeClosed(1, appended)
              .filter(i -> i % KEYS == number)
              .mapToObj(Integer::toString)
              .toList();
      assertThat(
              tail.messages().stream()
                  .filter(message -> aggregate.equals(message.key()))
                  .map(KafkaMessage::value))
          .as("each event of %s once and in order", aggregate)
          .containsExactlyElementsOf(expected);
    }
  }

  /** Appends 500 events a second, one in each transaction. */
  private static final class Load implements AutoCloseable {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> work;
    private final AtomicInteger appended = new AtomicInteger();

    Load(ConfigurableApplicationContext context) {
      SpringOutbox outbox = context.getBean(SpringOutbox.class);
      TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
      work =
          thread.scheduleAtFixedRate(
              () -> {
                int next = appended.get() + 1;
                Event event =
                    Event.builder("order.placed", "order", "k" + next % KEYS)
                        .json(Integer.toString(next))
                        .build();
                transaction.executeWithoutResult(status -> outbox.append(event));
                appended.set(next);
              },
              0,
              2,
              TimeUnit.MILLISECONDS);
    }

    int appended() {
      return appended.get();
    }

    void end() {
      thread.shutdown();
      Awaitility.await().atMost(PATIENCE).until(thread::isTerminated);
    }

    @Override
    public void close() {
      work.cancel(true);
      thread.shutdownNow();
    }
  }
}

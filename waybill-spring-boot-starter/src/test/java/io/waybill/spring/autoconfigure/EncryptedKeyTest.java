package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A client key that is encrypted, in PEM, with servers that demand a certificate: one SSL bundle
 * for databases and brokers.
 */
@Tag("server")
@Tag("long")
class EncryptedKeyTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));
  private static final String BUNDLE = "spring.ssl.bundle.pem.client.";
  private static final String LEGACY = "waybill.outboxes.legacy.";

  private final String name = "encrypted-" + UUID.randomUUID();

  private static List<String> bundle() {
    return List.of(
        BUNDLE + "truststore.certificate=file:" + TestServers.file("root.pem"),
        BUNDLE + "keystore.certificate=file:" + TestServers.file("client.pem"),
        BUNDLE + "keystore.private-key=file:" + TestServers.file("client-encrypted.key"),
        BUNDLE + "keystore.private-key-password=" + Certificates.PASSWORD);
  }

  private static ConfigurableApplicationContext run(String... properties) {
    List<String> all = new ArrayList<>(bundle());
    all.addAll(List.of(properties));
    return SmallApplication.run(Tables.create().url(), all.toArray(String[]::new));
  }

  @BeforeEach
  void createTopic() {
    TestServers.kafka().createTopic(name, 1, Map.of());
  }

  private KafkaTail tail() {
    return new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(name));
  }

  @Test
  void kafka() {
    try (ConfigurableApplicationContext context =
            run(
                "waybill.kafka.bootstrap-servers=" + TestServers.kafka().clientServers(),
                "waybill.kafka.ssl-bundle=client",
                "waybill.routes.default.target=" + name);
        KafkaTail tail = tail()) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
    }
  }

  /** EXTERNAL: the certificate names the user, who has no password. */
  @Test
  void rabbitMqByTheCertificateAlone() throws Exception {
    TestServers.rabbit().ctl("add_user", "client", "not used");
    TestServers.rabbit().ctl("clear_password", "client");
    TestServers.rabbit().ctl("set_permissions", "client", ".*", ".*", ".*");
    try (ConfigurableApplicationContext context =
            run(
                "waybill.rabbitmq.addresses=127.0.0.1:" + TestServers.rabbitTlsPort(),
                "waybill.rabbitmq.ssl-bundle=client",
                "waybill.rabbitmq.sasl-mechanism=external",
                "waybill.rabbitmq.topology.queues.encrypted-key.type=classic",
                "waybill.routes.default.routing-key=encrypted-key");
        RabbitTail tail = tailOf(context)) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
      assertThat(TestServers.rabbit().ctl("list_connections", "user", "ssl"))
          .contains("client\ttrue");
    }
  }

  /** The queue is there once the relay runs. */
  private static RabbitTail tailOf(ConfigurableApplicationContext context) throws Exception {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> context.getBean(RelayLifecycle.class).unready().isEmpty());
    return new RabbitTail(TestServers.rabbit().uri(), List.of("encrypted-key"));
  }

  @Test
  void postgres() throws Exception {
    try (PostgresServer server =
        PostgresServer.launch(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", TestServers.file("broker.pem"),
                "ssl_key_file", TestServers.file("broker.key"),
                "ssl_ca_file", TestServers.file("root.pem")))) {
      Tables tables = new Tables(server.createDatabase("legacy"));
      tables.run("create role client login superuser");
      Files.writeString(
          server.data().resolve("pg_hba.conf"),
          """
          hostssl legacy client 127.0.0.1/32 cert
          host all postgres 127.0.0.1/32 trust
          """);
      tables.run("select pg_reload_conf()");

      assertPublished(server, "jdbc:postgresql://127.0.0.1:%d/legacy");
    }
  }

  @Test
  void mariaDb() throws Exception {
    try (MariaDbServer server =
        MariaDbServer.launch(
            Map.of(
                "ssl", "on",
                "ssl-cert", TestServers.file("broker.pem"),
                "ssl-key", TestServers.file("broker.key"),
                "ssl-ca", TestServers.file("root.pem")))) {
      Tables tables = new Tables(server.createDatabase("legacy"));
      tables.run("create user client identified by 'word' require subject '/CN=client'");
      tables.run("grant all on legacy.* to client");

      assertPublished(
          server, "jdbc:mariadb://127.0.0.1:%d/legacy", LEGACY + "database.password=word");
    }
  }

  private void assertPublished(DatabaseServer server, String url, String... more)
      throws SQLException {
    String[] properties =
        Stream.concat(
                Stream.of(more),
                Stream.of(
                    "waybill.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
                    LEGACY + "database.url=" + url.formatted(server.port()),
                    LEGACY + "database.username=client",
                    LEGACY + "database.ssl-bundle=client",
                    LEGACY + "schema.mode=apply",
                    LEGACY + "routes.default.target=" + name))
            .toArray(String[]::new);
    try (ConfigurableApplicationContext context = run(properties);
        KafkaTail tail = tail();
        Connection connection = server.dataSource("legacy").getConnection();
        Statement statement = connection.createStatement()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(context.getBean(RelayLifecycle.class).unready()).isEmpty());
      statement.execute(
          "insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id,"
              + " payload) values ('e1', 'order.placed', 'order', '42', '{}')");
      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
    }
  }
}

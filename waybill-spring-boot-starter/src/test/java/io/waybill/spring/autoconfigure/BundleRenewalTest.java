package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.Certificates;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Relay and inbox of an application whose SSL bundle is renewed, on both brokers. */
@Tag("server")
@Tag("long")
class BundleRenewalTest {
  private static final int KEYS = 10;
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));

  @TempDir private Path folder;
  private final String name = "renewal-" + UUID.randomUUID();

  private enum Broker {
    KAFKA {
      @Override
      void create(String name) {
        TestServers.kafka().createTopic(name, 2, Map.of());
        TestServers.kafka().createTopic(name + ".dlt", 1, Map.of());
      }

      @Override
      Stream<String> properties(String name) {
        return Stream.of(
            "waybill.kafka.bootstrap-servers=" + TestServers.kafka().clientServers(),
            "waybill.kafka.ssl-bundle=client",
            "waybill.routes.default.target=" + name);
      }
    },
    RABBITMQ {
      @Override
      void create(String name) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(URI.create(TestServers.rabbit().uri()));
        try (Connection connection = factory.newConnection("test");
            Channel channel = connection.createChannel()) {
          Map<String, Object> inOrder = Map.of("x-single-active-consumer", true);
          channel.queueDeclare(name, true, false, false, inOrder);
          channel.queueDeclare(name + ".dlt", true, false, false, null);
        }
      }

      @Override
      Stream<String> properties(String name) {
        return Stream.of(
            "waybill.rabbitmq.addresses=127.0.0.1:" + TestServers.rabbitTlsPort(),
            "waybill.rabbitmq.ssl-bundle=client",
            "waybill.routes.default.routing-key=" + name);
      }
    };

    abstract void create(String name) throws Exception;

    abstract Stream<String> properties(String name);
  }

  /** Effects are in the handler's transaction: those of a handling that is undone are none. */
  @Configuration(proxyBeanMethods = false)
  static class Handlers {
    @Bean
    JdbcTemplate jdbc(DataSource source) {
      return new JdbcTemplate(source);
    }

    @Bean
    Ledger ledger(JdbcTemplate jdbc) {
      return new Ledger(jdbc);
    }
  }

  record Ledger(JdbcTemplate jdbc) {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {
      byte[] payload = Objects.requireNonNull(event.payload().bytes());
      jdbc.update(
          "insert into ledger (aggregate, value) values (?, ?)",
          Objects.requireNonNull(event.key()).aggregateId(),
          new String(payload, StandardCharsets.UTF_8));
    }
  }

  private void put(Certificates certificates) {
    for (String file : List.of("client.key", "client.pem")) {
      try {
        // As an agent does it: no reader sees half a file.
        Path fresh = Files.copy(certificates.file(file), folder.resolve(file + ".new"));
        Files.move(fresh, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Certificates right() {
    return new Certificates(Path.of(TestServers.file(".")));
  }

  private Certificates foreign() throws IOException {
    return new Certificates(Files.createDirectory(folder.resolve("foreign")))
        .authority("other")
        .issue("other", "client", "dns:client");
  }

  private ConfigurableApplicationContext run(Broker broker, Tables tables) {
    tables.run("create table ledger (id bigserial primary key, aggregate text, value text)");
    String bundle = "spring.ssl.bundle.pem.client.";
    return SmallApplication.run(
        Handlers.class,
        tables.url(),
        Stream.concat(
                broker.properties(name),
                Stream.of(
                    "spring.ssl.bundle.watch.file.quiet-period=100ms",
                    bundle + "reload-on-update=true",
                    bundle + "truststore.certificate=file:" + TestServers.file("root.pem"),
                    bundle + "keystore.certificate=file:" + folder.resolve("client.pem"),
                    bundle + "keystore.private-key=file:" + folder.resolve("client.key"),
                    "waybill.schema.mode=apply",
                    "waybill.inbox.consumer=" + name,
                    "waybill.inbox.sources=" + name))
            .toArray(String[]::new));
  }

  private static void append(ConfigurableApplicationContext context, int number) {
    Event event =
        Event.builder("order.placed", "order", "k" + number % KEYS)
            .json(Integer.toString(number))
            .build();
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.getBean(SpringOutbox.class).append(event));
  }

  private static int handled(Tables tables) {
    return Integer.parseInt(tables.texts("select count(*) from ledger").get(0));
  }

  private static void awaitHandled(Tables tables, int number) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(handled(tables)).isGreaterThanOrEqualTo(number));
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateThatIsRightAtLastReachesRelayAndInbox(Broker broker) throws Exception {
    broker.create(name);
    put(foreign());
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(broker, tables)) {
      append(context, 1);
      RelayLifecycle relay = context.getBean(RelayLifecycle.class);
      InboxLifecycle inbox = context.getBean(InboxLifecycle.class);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> !relay.unready().isEmpty() && !inbox.unready().isEmpty());

      put(right());

      awaitHandled(tables, 1);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> relay.unready().isEmpty() && inbox.unready().isEmpty());
    }
  }

  @ParameterizedTest
  @EnumSource
  void renewalsWhileEventsFlowLoseNothingAndDoubleNothing(Broker broker) throws Exception {
    broker.create(name);
    put(right());
    Tables tables = Tables.create();
    int all = 1_500;
    try (ConfigurableApplicationContext context = run(broker, tables)) {
      Thread writer =
          new Thread(() -> IntStream.rangeClosed(1, all).forEach(i -> append(context, i)));
      writer.start();
      for (int seen : new int[] {200, 600}) {
        awaitHandled(tables, seen);
        put(right());
      }
      writer.join();
      awaitHandled(tables, all);
    }
    for (int key = 0; key < KEYS; key++) {
      int number = key;
      assertThat(
              tables.texts(
                  "select value from ledger where aggregate = 'k%d' order by id".formatted(key)))
          .as("each event of key %s once and in order", key)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, all)
                  .filter(i -> i % KEYS == number)
                  .mapToObj(Integer::toString)
                  .toList());
    }
    assertThat(handled(tables)).isEqualTo(all);
  }
}

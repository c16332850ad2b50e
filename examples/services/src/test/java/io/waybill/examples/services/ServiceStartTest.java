package io.waybill.examples.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.examples.services.notification.NotificationApplication;
import io.waybill.examples.services.wallet.WalletApplication;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Services that are started alone, also again on the tables that they left. */
@Tag("long")
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceStartTest {
  private PostgresServer postgres;

  @BeforeAll
  void start() {
    postgres = PostgresServer.launch();
  }

  @AfterAll
  void stop() {
    postgres.close();
  }

  /** A name that is no word of SQL. */
  private static String database(String service) {
    return service + "_service";
  }

  /** Starts it without a broker, and counts the rows of each of its tables after changes. */
  private Map<String, Long> rows(Class<?> application, String name, List<String> changes) {
    Map<String, Object> properties =
        Map.of(
            "spring.datasource.url", postgres.jdbcUrl(database(name)),
            "waybill.relay.enabled", false,
            "waybill.inbox.enabled", false,
            "spring.rabbitmq.listener.simple.auto-startup", false,
            "management.tracing.export.enabled", false);
    try (ConfigurableApplicationContext service =
        ServiceCommand.run(application, name, WebApplicationType.NONE, properties)) {
      JdbcClient jdbc = service.getBean(JdbcClient.class);
      changes.forEach(change -> jdbc.sql(change).update());
      return jdbc
          .sql("select table_name from information_schema.tables where table_schema = 'public'")
          .query(String.class)
          .list()
          .stream()
          .collect(Collectors.toMap(table -> table, table -> count(jdbc, table)));
    }
  }

  private static long count(JdbcClient jdbc, String table) {
    return jdbc.sql("select count(*) from " + table).query(Long.class).single();
  }

  private void assertKept(Class<?> application, String name, String change) {
    postgres.createDatabase(database(name));

    Map<String, Long> left = rows(application, name, List.of(change));

    assertThat(rows(application, name, List.of())).isEqualTo(left);
  }

  @Test
  @Tag("long")
  void notificationKeepsItsTablesAndWhatWasDeletedOfItsPeople() {
    assertKept(
        NotificationApplication.class,
        "notification",
        "delete from person where aggregate_type = 'AGENCY'");
  }

  /** Spring Cloud Stream sets keys of Kafka, which stands on the class path, in every service. */
  @Test
  void notificationWithoutFurtherKeysMeansTheRabbitMqOfThisMachine() throws IOException {
    postgres.createDatabase("local_service");
    try (Socket nobody = new Socket()) {
      // Bound and not listening: nobody else can have the port, and connections are refused.
      nobody.bind(new InetSocketAddress(0));
      Map<String, Object> properties =
          Map.of(
              "spring.datasource.url",
              postgres.jdbcUrl("local_service"),
              "spring.rabbitmq.port",
              nobody.getLocalPort(),
              "spring.rabbitmq.listener.simple.auto-startup",
              false,
              "management.tracing.export.enabled",
              false);
      try (ConfigurableApplicationContext service =
          ServiceCommand.run(
              NotificationApplication.class, "notification", WebApplicationType.NONE, properties)) {
        assertThat(service.getEnvironment().getProperty("spring.rabbitmq.host"))
            .isEqualTo("localhost");
        assertThat(service.isRunning()).isTrue();
      }
    }
  }

  @Test
  @Tag("long")
  void walletKeepsItsTables() {
    assertKept(
        WalletApplication.class,
        "wallet",
        "insert into wallet (id, owner, cents) values ('1', 'Ada', 1)");
  }
}

package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.FreePort;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.spring.Tables;
import io.waybill.spring.WaybillHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The shipped migrations of outbox and inbox, run on MariaDB. */
@Tag("server")
class MariaDbMigrationsTest {
  private static MariaDbServer server;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({FlywayAutoConfiguration.class, LiquibaseAutoConfiguration.class})
  static class Migrations {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @BeforeAll
  static void launch() {
    server = MariaDbServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** The comparison of mode check follows the migrations. */
  static void assertWorks(String url, String... properties) {
    Tables tables = new Tables(url);
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.kafka.bootstrap-servers=127.0.0.1:" + FreePort.find());
    all.add("waybill.relay.enabled=false");
    all.add("waybill.inbox.sources=orders");
    all.add("waybill.inbox.consumer=stock");
    try (ConfigurableApplicationContext context =
        SmallApplication.run(Migrations.class, tables.url(), all.toArray(String[]::new))) {
      SmallApplication.publish(context, "42");
      assertThat(tables.types()).containsExactly("order.placed");
      assertThat(tables.texts("select count(*) from processed_events")).containsExactly("0");
    }
  }

  @Test
  void throughFlyway() {
    assertWorks(
        server.createDatabase("through_flyway"),
        "spring.liquibase.enabled=false",
        "spring.flyway.locations=classpath:io/waybill/flyway/{vendor},"
            + "classpath:io/waybill/flyway-inbox/{vendor}");
  }

  @Test
  void throughLiquibase() {
    assertWorks(
        server.createDatabase("through_liquibase"),
        "spring.flyway.enabled=false",
        "spring.liquibase.change-log=classpath:both.xml");
  }
}

package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.FreePort;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** The ways to the tables. */
@Tag("server")
class SchemaModesTest {
  private static final String NO_RELAY = "waybill.relay.enabled=false";

  private final Tables tables = new Tables(TestServers.database());

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({FlywayAutoConfiguration.class, LiquibaseAutoConfiguration.class})
  static class Migrations {}

  private void assertAppends(Class<?> more, String... properties) {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(more, tables.url(), properties)) {
      SmallApplication.publish(context, "42");
      assertThat(tables.types()).containsExactly("order.placed");
    }
  }

  @Test
  void appliedAtStart() {
    String[] properties = {NO_RELAY, "waybill.schema.mode=apply"};
    assertAppends(SmallApplication.Nothing.class, properties);
    try (ConfigurableApplicationContext again = SmallApplication.run(tables.url(), properties)) {
      assertThat(again.isRunning()).isTrue();
    }
  }

  @Test
  void appliedInASchemaOfItsOwnWithSoManyLanes() {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            tables.url(),
            NO_RELAY,
            "waybill.schema.mode=apply",
            "waybill.schema.name=events",
            "waybill.schema.lanes=8")) {
      SmallApplication.publish(context, "42");
      assertThat(tables.texts("select event_type from events.waybill_outbox"))
          .containsExactly("order.placed");
      assertThat(tables.texts("select count(*) from events.waybill_lane")).containsExactly("8");
    }
  }

  @Test
  void leftAlone() {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(tables.url(), NO_RELAY, "waybill.schema.mode=none")) {
      assertThat(context.isRunning()).isTrue();
      assertThat(tables.texts("select to_regclass('waybill_outbox')::text"))
          .containsExactly((String) null);
    }
  }

  @Test
  void throughFlyway() {
    assertAppends(
        Migrations.class,
        NO_RELAY,
        "spring.liquibase.enabled=false",
        "spring.flyway.locations=classpath:io/waybill/flyway/{vendor}");
  }

  @Test
  void throughLiquibase() {
    assertAppends(
        Migrations.class,
        NO_RELAY,
        "spring.flyway.enabled=false",
        "spring.liquibase.change-log=classpath:io/waybill/liquibase/changelog.xml");
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({FlywayAutoConfiguration.class, LiquibaseAutoConfiguration.class})
  static class ConsumingMigrations {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  private void assertInbox(String... properties) {
    String broker = "127.0.0.1:" + FreePort.find();
    List<String> all = new ArrayList<>(List.of(properties));
    all.add(NO_RELAY);
    all.add("spring.kafka.bootstrap-servers=" + broker);
    all.add("waybill.inbox.sources=orders");
    all.add("waybill.inbox.consumer=stock");
    try (ConfigurableApplicationContext context =
        SmallApplication.run(ConsumingMigrations.class, tables.url(), all.toArray(String[]::new))) {
      assertThat(context.getBean(InboxLifecycle.class).isRunning()).isTrue();
      assertThat(tables.texts("select count(*) from processed_events")).containsExactly("0");
    }
  }

  @Test
  void theInboxThroughFlyway() {
    assertInbox(
        "spring.liquibase.enabled=false",
        "spring.flyway.locations=classpath:io/waybill/flyway/{vendor},"
            + "classpath:io/waybill/flyway-inbox/{vendor}");
  }

  @Test
  void theInboxThroughLiquibase() {
    assertInbox("spring.flyway.enabled=false", "spring.liquibase.change-log=classpath:both.xml");
  }

  @Test
  void besideAnAdoptedTable() throws SQLException {
    adopt();
    assertAdopted("outbox");
  }

  @Test
  void anAdoptedTableMayHaveAnotherName() throws SQLException {
    adopt();
    tables.run("alter table outbox rename to wallet_events");
    assertAdopted("wallet_events", "waybill.outbox.table=wallet_events");
  }

  private void adopt() throws SQLException {
    try (Connection connection = DriverManager.getConnection(tables.url())) {
      TableSchema.run(connection, TableSchema.documentedTable("wallet", DatabaseKind.POSTGRESQL));
    }
  }

  private void assertAdopted(String table, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.addAll(
        List.of(NO_RELAY, "waybill.schema.mode=apply", "waybill.outbox.layout=wallet"));
    try (ConfigurableApplicationContext context =
        SmallApplication.run(tables.url(), properties.toArray(String[]::new))) {
      context
          .getBean(TransactionTemplate.class)
          .executeWithoutResult(
              status ->
                  context
                      .getBean(SpringOutbox.class)
                      .append(Event.builder("FundsAdded", "correlation", "42").json("{}").build()));
      assertThat(tables.texts("select event_type from " + table + " where not sent"))
          .containsExactly("FundsAdded");
    }
  }
}

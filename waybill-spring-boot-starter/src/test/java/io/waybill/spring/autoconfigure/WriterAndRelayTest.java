package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.schema.TableIdentity;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.TableName;
import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.database.RelayConnections;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay works on the table that the application writes, whatever the pool does to its own. */
@Tag("server")
class WriterAndRelayTest {
  private static final TableName OUTBOX = new TableName(null, "event_outbox");

  private final Tables tables = new Tables(TestServers.database());

  /** The same table twice: that of this service in schema a, another one's in public. */
  private void twoOutboxes() throws SQLException {
    tables.run("create schema a");
    for (String schema : List.of("a", "public")) {
      try (HikariDataSource pool = tables.pool(1);
          Connection connection = pool.getConnection()) {
        connection.setSchema(schema);
        TableSchema.run(
            connection, TableSchema.documentedTable("event-outbox", DatabaseKind.POSTGRESQL));
      }
    }
  }

  private static Event event(String id) {
    return Event.builder("order.placed", "order", id).json("{}").build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.datasource.hikari.schema=a",
        "spring.datasource.hikari.connection-init-sql=set search_path to a"
      })
  void theRelayReadsTheSchemaOfThePool(String property) throws SQLException {
    twoOutboxes();
    String topic = "orders-" + UUID.randomUUID();
    TestServers.kafka().createTopic(topic, 1, Map.of());
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            tables.url(),
            property,
            "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
            "waybill.routes.default.target=" + topic,
            "waybill.outbox.layout=event-outbox",
            "waybill.schema.mode=apply")) {
      context
          .getBean(TransactionTemplate.class)
          .executeWithoutResult(
              status -> context.getBean(SpringOutbox.class).append(List.of(event("1"))));

      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .until(
              () ->
                  tables.texts("select id from a.event_outbox where status <> 'pending'").size()
                      == 1);
      assertThat(
              tables.texts(
                  "select schemaname from pg_tables where tablename = 'waybill_event_outbox_lane'"))
          .containsExactly("a");
    }
  }

  /** Sets the schema where no setting of the pool tells of it. */
  static final class Hidden extends HikariDataSource {
    Hidden(HikariConfig config) {
      super(config);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      connection.setSchema("a");
      return connection;
    }
  }

  private static HikariDataSource hidden(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMinimumIdle(0);
    return new Hidden(config);
  }

  @Configuration(proxyBeanMethods = false)
  static class HiddenSchema {
    @Bean
    HikariDataSource source(DataSourceProperties properties) {
      return hidden(properties.determineUrl());
    }
  }

  @Test
  void theStartIsRefusedWhereTheTwoSeeDifferentTables() throws SQLException {
    twoOutboxes();

    assertThatThrownBy(
            () ->
                SmallApplication.run(
                    HiddenSchema.class,
                    tables.url(),
                    "waybill.relay.enabled=false",
                    "waybill.outbox.layout=event-outbox",
                    "waybill.schema.mode=apply"))
        .rootCause()
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContaining("a.event_outbox")
        .hasMessageContaining("public.event_outbox");
  }

  @Configuration(proxyBeanMethods = false)
  static class HiddenInbox extends HiddenSchema {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @Test
  void soIsThatOfAnInbox() {
    tables.run("create schema a");

    assertThatThrownBy(
            () ->
                SmallApplication.run(
                    HiddenInbox.class,
                    tables.url(),
                    "spring.kafka.bootstrap-servers=127.0.0.1:9",
                    "waybill.relay.enabled=false",
                    "waybill.schema.mode=apply",
                    "waybill.inbox.sources=orders",
                    "waybill.inbox.consumer=stock"))
        .rootCause()
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContaining("public.processed_events");
  }

  @Test
  void onMariaDbTheDatabaseOfThePoolCounts() throws SQLException {
    try (MariaDbServer server = MariaDbServer.launch();
        HikariDataSource pool = new Tables(server.createDatabase("shop")).pool(1)) {
      server.createDatabase("other");
      assertThat(seen(pool)).contains("shop.event_outbox in database shop");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(pool.getJdbcUrl());
      config.setCatalog("other");
      try (HikariDataSource moved = new HikariDataSource(config);
          Connection own = moved.getConnection()) {
        assertThat(seen(moved))
            .isEqualTo(TableIdentity.of(own, OUTBOX).toString())
            .contains("other.event_outbox in database other");
      }
    }
  }

  private static String seen(HikariDataSource pool) throws SQLException {
    try (Connection connection = RelayConnections.of(pool, List.of()).open()) {
      return TableIdentity.of(connection, OUTBOX).toString();
    }
  }
}

package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What belongs to one of several outboxes: a layout by its name, and the inbox to the primary. */
@Tag("server")
class OutboxByNameTest {
  private static final String OUTBOXES = "waybill.outboxes.";
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));

  @Configuration(proxyBeanMethods = false)
  static class WithLayout {
    @Bean
    Layout legacy() {
      return Layout.builder("mine", "legacy_outbox")
          .singleKey("correlation_id", "correlation")
          .payload("payload", PayloadKind.TEXT)
          .state(new StateColumn.Flag("sent"))
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Sources {
    static final List<String> HANDLED = Collections.synchronizedList(new ArrayList<>());

    @Bean
    HikariDataSource first() {
      return new Tables(TestServers.database()).pool(8);
    }

    @Bean
    HikariDataSource second() {
      return new Tables(TestServers.database()).pool(8);
    }

    @Bean
    JdbcTransactionManager firstTransactions(@Qualifier("first") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    JdbcTransactionManager secondTransactions(@Qualifier("second") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }

    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {
      HANDLED.add(event.id());
    }
  }

  private static String topic(String name) {
    String topic = name + "-" + UUID.randomUUID();
    TestServers.kafka().createTopic(topic, 1, Map.of());
    return topic;
  }

  private static String kafka() {
    return "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers();
  }

  @Test
  void aLayoutBeanOfAnOutboxsNameIsItsLayoutAndNoOthers() {
    String adopted = topic("adopted");
    String own = topic("own");
    Tables tables = new Tables(TestServers.database());
    tables.run(
        """
        create table legacy_outbox (
          id bigserial primary key,
          event_type text not null,
          correlation_id text,
          payload text not null,
          created_at timestamptz not null default now(),
          sent boolean not null default false)""");
    try (ConfigurableApplicationContext context =
            SmallApplication.run(
                WithLayout.class,
                TestServers.database(),
                kafka(),
                OUTBOXES + "app.schema.mode=apply",
                OUTBOXES + "app.routes.default.target=" + own,
                OUTBOXES + "legacy.database.url=" + tables.url().replaceFirst("\\?.*", ""),
                OUTBOXES + "legacy.database.username=postgres",
                OUTBOXES + "legacy.schema.mode=apply",
                OUTBOXES + "legacy.routes.default.target=" + adopted);
        KafkaTail tail =
            new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(adopted, own))) {
      SmallApplication.publish(context, "42");
      tables.run(
          "insert into legacy_outbox (event_type, correlation_id, payload)"
              + " values ('order.paid', '7', '{}')");

      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 2);
      assertThat(tail.messages())
          .extracting(KafkaMessage::topic, KafkaMessage::key)
          .containsExactlyInAnyOrder(
              org.assertj.core.groups.Tuple.tuple(adopted, "7"),
              org.assertj.core.groups.Tuple.tuple(own, "42"));
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> tables.texts("select sent::text from legacy_outbox").equals(List.of("true")));
    }
  }

  @Test
  void aLayoutBeanBesideWaybillsOwnTableInOneDatabaseIsAnotherTable() {
    Tables tables = new Tables(TestServers.database());
    tables.run(
        """
        create table legacy_outbox (
          id bigserial primary key,
          event_type text not null,
          correlation_id text,
          payload text not null,
          created_at timestamptz not null default now(),
          sent boolean not null default false)""");
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            WithLayout.class,
            tables.url(),
            kafka(),
            OUTBOXES + "app.primary=true",
            OUTBOXES + "app.schema.mode=apply",
            OUTBOXES + "app.routes.default.target=" + topic("own"),
            OUTBOXES + "legacy.schema.mode=apply",
            OUTBOXES + "legacy.routes.default.target=" + topic("adopted"))) {
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(context.getBeansOfType(RelayLifecycle.class).values())
                      .hasSize(2)
                      .allSatisfy(relay -> assertThat(relay.unready()).isEmpty()));
    }
  }

  @Test
  void theInboxIsInTheDatabaseOfThePrimary() {
    String topic = topic("orders");
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Sources.class,
            "jdbc:none",
            kafka(),
            "waybill.schema.mode=apply",
            "waybill.inbox.consumer=stock",
            "waybill.inbox.sources=" + topic,
            "waybill.inbox.transaction-manager=secondTransactions",
            OUTBOXES + "first.data-source=first",
            OUTBOXES + "first.schema.mode=apply",
            OUTBOXES + "first.routes.default.target=" + topic,
            OUTBOXES + "second.data-source=second",
            OUTBOXES + "second.primary=true",
            OUTBOXES + "second.schema.mode=apply",
            OUTBOXES + "second.routes.default.target=" + topic)) {
      new TransactionTemplate(context.getBean("secondTransactions", JdbcTransactionManager.class))
          .executeWithoutResult(
              status -> context.publishEvent(new SmallApplication.OrderPlaced("42")));

      Tables second = tables(context, "second");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> second.texts("select event_id from processed_events").size() == 1);
      assertThat(Sources.HANDLED).hasSize(1);
      assertThat(tables(context, "first").texts("select to_regclass('processed_events')::text"))
          .containsExactly((String) null);
    }
  }

  private static Tables tables(ConfigurableApplicationContext context, String source) {
    return new Tables(context.getBean(source, HikariDataSource.class).getJdbcUrl());
  }
}

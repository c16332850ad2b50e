package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with two databases, of which one has the outbox. */
@Tag("server")
class TwoDataSourcesTest {
  @Configuration(proxyBeanMethods = false)
  static class Sources {
    @Bean
    HikariDataSource orders() {
      return new Tables(TestServers.database()).pool(2);
    }

    @Bean
    HikariDataSource customers() {
      return new Tables(TestServers.database()).pool(2);
    }

    @Bean
    JdbcTransactionManager ordersTransactions(@Qualifier("orders") DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    JdbcTransactionManager customersTransactions(@Qualifier("customers") DataSource source) {
      return new JdbcTransactionManager(source);
    }
  }

  private static TransactionTemplate on(ConfigurableApplicationContext context, String source) {
    return new TransactionTemplate(
        context.getBean(source + "Transactions", JdbcTransactionManager.class));
  }

  private static Tables tables(ConfigurableApplicationContext context, String source) {
    return new Tables(context.getBean(source, HikariDataSource.class).getJdbcUrl());
  }

  @Test
  void theChosenOneHasTheOutboxAndItsTransactionsTheEvents() {
    String topic = "orders-" + UUID.randomUUID();
    TestServers.kafka().createTopic(topic, 1, Map.of());
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Sources.class,
            "jdbc:none",
            "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
            "waybill.routes.default.target=" + topic,
            "waybill.schema.mode=apply",
            "waybill.outbox.data-source=customers",
            "waybill.outbox.on-published=keep")) {
      on(context, "customers")
          .executeWithoutResult(
              status -> context.publishEvent(new SmallApplication.OrderPlaced("42")));
      assertThatExceptionOfType(IllegalTransactionStateException.class)
          .isThrownBy(
              () ->
                  on(context, "orders")
                      .executeWithoutResult(
                          status -> context.publishEvent(new SmallApplication.OrderPlaced("43"))))
          .withMessageContaining("waybill.outbox.data-source");
      assertThatExceptionOfType(IllegalTransactionStateException.class)
          .as("within a transaction of the outbox's")
          .isThrownBy(
              () ->
                  on(context, "customers")
                      .executeWithoutResult(
                          outer ->
                              on(context, "orders")
                                  .executeWithoutResult(
                                      status ->
                                          context.publishEvent(
                                              new SmallApplication.OrderPlaced("44")))))
          .withMessageContaining("waybill.outbox.data-source");

      Tables customers = tables(context, "customers");
      Awaitility.await()
          .until(
              () ->
                  customers
                      .texts("select status from waybill_outbox_status")
                      .equals(List.of("PUBLISHED")));
      assertThat(customers.texts("select aggregate_id from waybill_outbox")).containsExactly("42");
      assertThat(tables(context, "orders").texts("select to_regclass('waybill_outbox')::text"))
          .containsExactly((String) null);
    }
  }
}

package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.message.Event;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.FreePort;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillStartException;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Several outboxes in one process, each with its database, route, health and meters. */
@Tag("server")
class SeveralOutboxesTest {
  private static final String OUTBOXES = "waybill.outboxes.";

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    WaybillMetricsAutoConfiguration.class,
    WaybillActuatorAutoConfiguration.class,
    HealthContributorAutoConfiguration.class,
    HealthContributorRegistryAutoConfiguration.class
  })
  static class Observed {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Sources {
    @Bean
    HikariDataSource first() {
      return new Tables(TestServers.database()).pool(2);
    }

    @Bean
    HikariDataSource second() {
      return new Tables(TestServers.database()).pool(2);
    }

    @Bean
    JdbcTransactionManager firstTransactions(@Qualifier("first") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    JdbcTransactionManager secondTransactions(@Qualifier("second") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }
  }

  private static String topic(String name) {
    String topic = name + "-" + UUID.randomUUID();
    TestServers.kafka().createTopic(topic, 1, Map.of());
    return topic;
  }

  private static String[] properties(Stream<String> more) {
    List<String> all = new ArrayList<>();
    all.add("spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers());
    all.add("waybill.relay.name=shop");
    more.forEach(all::add);
    return all.toArray(String[]::new);
  }

  private static void append(ConfigurableApplicationContext context, String source, String id) {
    SpringOutbox outbox = context.getBean(source + "Outbox", SpringOutbox.class);
    new TransactionTemplate(context.getBean(source + "Transactions", JdbcTransactionManager.class))
        .executeWithoutResult(
            status -> outbox.append(Event.builder("order.placed", "order", id).json("{}").build()));
  }

  private static List<String> keys(String topic, int count) {
    try (KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(60)))
          .until(() -> tail.count() >= count);
      return tail.messages().stream().map(KafkaMessage::key).toList();
    }
  }

  private static Health health(ConfigurableApplicationContext context, String outbox) {
    CompositeHealthContributor all =
        (CompositeHealthContributor)
            Objects.requireNonNull(
                context.getBean(HealthContributorRegistry.class).getContributor("waybill"));
    HealthIndicator indicator = (HealthIndicator) all.getContributor(outbox);
    return Objects.requireNonNull(Objects.requireNonNull(indicator, outbox).health());
  }

  @Test
  void eachHasItsDatabaseRouteHealthAndMetersAndOneThatIsAwayHoldsUpNoOther() {
    String orders = topic("orders");
    String stock = topic("stock");
    Tables away = Tables.create();
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Observed.class,
            TestServers.database(),
            properties(
                Stream.of(
                    OUTBOXES
                        + "gone.database.url=jdbc:postgresql://127.0.0.1:"
                        + FreePort.find()
                        + "/d",
                    OUTBOXES + "gone.routes.default.target=" + orders,
                    OUTBOXES + "orders.schema.mode=apply",
                    OUTBOXES + "orders.on-published=keep",
                    OUTBOXES + "orders.routes.default.target=" + orders,
                    OUTBOXES + "stock.database.url=" + away.url().replaceFirst("\\?.*", ""),
                    OUTBOXES + "stock.database.username=postgres",
                    OUTBOXES + "stock.routes.default.target=" + stock)))) {
      SmallApplication.publish(context, "42");
      away.run(
          "insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)"
              + " values ('s1', 'stock.counted', 'stock', '7', '{}')");

      assertThat(keys(orders, 1)).containsExactly("42");
      assertThat(keys(stock, 1)).containsExactly("7");
      Awaitility.await().until(() -> health(context, "gone").getDetails().containsKey("reasons"));
      assertThat(health(context, "orders").getStatus()).isEqualTo(Status.UP);
      assertThat(health(context, "stock").getStatus()).isEqualTo(Status.UP);
      assertThat(health(context, "stock").getDetails()).containsEntry("relay", "shop-stock");
      MeterRegistry meters = context.getBean(MeterRegistry.class);
      for (String outbox : List.of("gone", "orders", "stock")) {
        assertThat(meters.find("waybill.lanes.owned").tag("outbox", outbox).gauge())
            .as(outbox)
            .isNotNull();
      }
      assertThat(context.getBeanNamesForType(SpringOutbox.class)).containsExactly("ordersOutbox");
    }
  }

  @Test
  void eachIsWrittenToInTheTransactionsOfItsDataSource() {
    String one = topic("one");
    String two = topic("two");
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Sources.class,
            "jdbc:none",
            properties(
                Stream.of(
                    OUTBOXES + "first.data-source=first",
                    OUTBOXES + "first.primary=true",
                    OUTBOXES + "first.schema.mode=apply",
                    OUTBOXES + "first.routes.default.target=" + one,
                    OUTBOXES + "second.data-source=second",
                    OUTBOXES + "second.schema.mode=apply",
                    OUTBOXES + "second.routes.default.target=" + two)))) {
      append(context, "first", "1");
      append(context, "second", "2");
      new TransactionTemplate(context.getBean("firstTransactions", JdbcTransactionManager.class))
          .executeWithoutResult(
              status -> context.publishEvent(new SmallApplication.OrderPlaced("3")));

      assertThat(keys(one, 2)).containsExactly("1", "3");
      assertThat(keys(two, 1)).containsExactly("2");
    }
  }

  @Test
  void domainEventsNeedOneThatIsPrimary() {
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(
            () ->
                SmallApplication.run(
                    Sources.class,
                    "jdbc:none",
                    properties(
                        Stream.of(
                            OUTBOXES + "first.data-source=first",
                            OUTBOXES + "first.schema.mode=apply",
                            OUTBOXES + "first.routes.default.target=a",
                            OUTBOXES + "second.data-source=second",
                            OUTBOXES + "second.schema.mode=apply",
                            OUTBOXES + "second.routes.default.target=b"))))
        .havingRootCause()
        .isInstanceOfSatisfying(
            WaybillStartException.class,
            refused -> {
              assertThat(refused).hasMessageContaining("first, second");
              assertThat(refused.action()).contains("waybill.outboxes.NAME.primary=true");
            });
  }

  @Test
  void whatIsWrongWithAnyOfThemIsListedAtOnceByTheKeysThatStandThere() {
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(
            () ->
                SmallApplication.run(
                    TestServers.database(),
                    properties(
                        Stream.of(
                            "waybill.poll.batch=7",
                            "waybill.relay.grace-period=1h",
                            OUTBOXES + "a.routes.default.target=x{nope}",
                            OUTBOXES + "a.retention=1s",
                            OUTBOXES + "b.database.query-timeout=0s"))))
        .havingRootCause()
        .withMessageContainingAll(
            "waybill.outboxes must not be combined with the keys of a single outbox: move waybill.poll",
            "waybill.relay.grace-period must be 0s to 600s, but is '3600s'",
            "waybill.outboxes.a.routes.default is wrong: Template \"x{nope}\"",
            "waybill.outboxes.a.retention must be 60s to",
            "waybill.outboxes.b.database.query-timeout must be 1s to 120s, but is '0s'",
            "waybill.outboxes.b.routes.default.target must be given");
  }
}

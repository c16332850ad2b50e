package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application with relay and inbox adds to a transaction that publishes no event. */
@Tag("server")
class TransactionsWithoutEventsTest {
  private static ConfigurableApplicationContext context;

  static class Orders {
    private final Runnable step;

    Orders(Runnable step) {
      this.step = step;
    }

    @Transactional
    public void change() {
      step.run();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    Orders orders(DataSource source) {
      return new Orders(() -> assertNothingIsAdded(source));
    }

    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @BeforeAll
  static void start() {
    TestServers.kafka().createTopic("quiet-orders", 1, Map.of());
    context =
        SmallApplication.run(
            Application.class,
            Tables.create().url(),
            "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
            "waybill.schema.mode=apply",
            "waybill.routes.default.target=quiet-orders",
            "waybill.inbox.consumer=quiet",
            "waybill.inbox.sources=quiet-orders");
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .until(
            () ->
                context.getBean(RelayLifecycle.class).unready().isEmpty()
                    && context.getBean(InboxLifecycle.class).unready().isEmpty());
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static void assertNothingIsAdded(DataSource source) {
    assertThat(TransactionSynchronizationManager.getSynchronizations()).isEmpty();
    assertThat(TransactionSynchronizationManager.getResourceMap()).containsOnlyKeys(source);
  }

  @Test
  void noSynchronisationAndNoResource() {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status -> {
              context.getBean(SpringOutbox.class).append(List.of());
              context.publishEvent(new Object());
              assertNothingIsAdded(context.getBean(DataSource.class));
            });
  }

  @Test
  void noListenerOfTransactionsAndNoProxyOfManagerOrDataSource() {
    PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);

    assertThat(AopUtils.isAopProxy(manager)).isFalse();
    assertThat(((DataSourceTransactionManager) manager).getTransactionExecutionListeners())
        .isEmpty();
    assertThat(context.getBean(DataSource.class)).isExactlyInstanceOf(HikariDataSource.class);
  }

  @Test
  void noAdviceBesideSpringsOwn() throws Exception {
    Orders orders = context.getBean(Orders.class);

    assertThat(((Advised) orders).getAdvisors())
        .singleElement()
        .satisfies(
            advisor -> assertThat(advisor.getAdvice()).isInstanceOf(TransactionInterceptor.class));
    orders.change();
  }
}

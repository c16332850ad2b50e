package io.waybill.spring.autoconfigure;

import static io.waybill.spring.autoconfigure.StartReport.assertReport;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The same for an inbox: a start that fails says why and what to do. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class InboxStartFailuresTest {
  private static final String KAFKA = "spring.kafka.bootstrap-servers=127.0.0.1:9092";
  private static final String ROUTE = "waybill.routes.default.target=orders";
  private static final String APPLY = "waybill.schema.mode=apply";

  @Configuration(proxyBeanMethods = false)
  static class Handler {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondHandler {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  private static String[] inbox(String... more) {
    return Stream.concat(Stream.of(KAFKA, ROUTE, "waybill.inbox.sources=orders"), Stream.of(more))
        .toArray(String[]::new);
  }

  @Test
  void aMissingTableOfTheInbox(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        Tables.create().url(),
        inbox("waybill.inbox.consumer=stock"),
        "The database does not have what the inbox needs",
        "waybill.schema.mode=apply");
  }

  @Test
  void anInboxWithoutConsumer(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        inbox(APPLY),
        "waybill.inbox.consumer must be given, or spring.application.name");
  }

  @Test
  void anInboxWithoutHandlers(CapturedOutput output) {
    assertReport(
        output,
        inbox(APPLY, "waybill.inbox.consumer=stock"),
        "The inbox has sources [orders], but no bean has a method with @WaybillHandler");
  }

  @Test
  void handlersWithoutSources(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        new String[] {KAFKA, ROUTE, APPLY},
        "methods with @WaybillHandler, for example Handler.handle, but the inbox has no sources",
        "Set waybill.inbox.sources");
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Handler.class, SecondHandler.class})
  static class TwoHandlers {}

  @Test
  void twoHandlersOfOneType(CapturedOutput output) {
    assertReport(
        output,
        TwoHandlers.class,
        TestServers.database(),
        inbox(APPLY, "waybill.inbox.consumer=stock"),
        "type order.placed must have one handler, has ",
        "SecondHandler.handle");
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Handler.class)
  static class OtherManager {
    @Bean
    PlatformTransactionManager other() {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(TestServers.database());
      return new JdbcTransactionManager(source);
    }
  }

  @Test
  void aTransactionManagerOfAnotherDataSource(CapturedOutput output) {
    assertReport(
        output,
        OtherManager.class,
        TestServers.database(),
        inbox(APPLY, "waybill.inbox.consumer=stock"),
        "The transaction manager's transactions are not those of the inbox's data source",
        "waybill.inbox.transaction-manager");
  }

  @Test
  void aTransactionManagerThatThereIsNot(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        inbox(APPLY, "waybill.inbox.consumer=stock", "waybill.inbox.transaction-manager=jta"),
        "waybill.inbox.transaction-manager names no transaction manager, is jta; there are"
            + " [transactionManager]");
  }

  @Test
  void moreWorkersThanConnections(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        inbox(
            APPLY, "waybill.inbox.consumer=stock", "spring.datasource.hikari.maximum-pool-size=3"),
        "waybill.inbox.workers must be at most the number of connections of the pool (3), but is '4' (default)");
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Handler.class)
  static class PoolWithoutUrl {
    @Bean
    DataSource dataSource() {
      HikariDataSource pool = new HikariDataSource();
      pool.setDataSourceClassName(PGSimpleDataSource.class.getName());
      pool.addDataSourceProperty("URL", TestServers.database());
      pool.setMinimumIdle(0);
      pool.setMaximumPoolSize(9);
      return pool;
    }
  }

  @Test
  void aPoolThatInboxAndRelayWouldEmpty(CapturedOutput output) {
    assertReport(
        output,
        PoolWithoutUrl.class,
        "jdbc:none",
        inbox(APPLY, "waybill.inbox.consumer=stock"),
        "waybill.inbox.workers must leave 7 of the pool's 9 connections");
  }

  @Test
  void namesThatTheDatabaseDoesNotTake(CapturedOutput output) {
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        inbox(APPLY, "waybill.inbox.consumer=stock", "waybill.inbox.table=no table"),
        "but is 'no table' (from waybill.inbox.table or waybill.schema.name)");
  }

  @Test
  void aConsumerWhoseNameIsTooLong(CapturedOutput output) {
    String name = "x".repeat(101);
    assertReport(
        output,
        Handler.class,
        TestServers.database(),
        inbox(APPLY, "waybill.inbox.consumer=" + name),
        "must be 1 to 100 visible characters, but is '" + name + "' (from waybill.inbox.consumer,");
  }
}

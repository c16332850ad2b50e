package io.waybill.spring.autoconfigure;

import static io.waybill.spring.autoconfigure.StartReport.assertReport;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.proof.server.FreePort;
import io.waybill.spring.Tables;
import io.waybill.testkit.Patience;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A start that fails says why and what to do, once, without a stack trace. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {
  private static final String KAFKA = "spring.kafka.bootstrap-servers=127.0.0.1:9092";
  private static final String ROUTE = "waybill.routes.default.target=orders";
  private static final String APPLY = "waybill.schema.mode=apply";

  private static String[] with(String... properties) {
    return properties;
  }

  @Test
  void aMissingTable(CapturedOutput output) {
    assertReport(
        output,
        with(KAFKA, ROUTE),
        "schema public: It has no tables of Waybill",
        "waybill.schema.mode=apply",
        "Flyway or Liquibase");
  }

  @Test
  void aDatabaseThatIsDown(CapturedOutput output) {
    String url = "jdbc:postgresql://127.0.0.1:" + FreePort.find() + "/shop";
    assertReport(
        output,
        SmallApplication.Nothing.class,
        url,
        with(KAFKA, ROUTE),
        "Waybill cannot reach its tables",
        "Start the database");
  }

  @Test
  void aMissingRoute(CapturedOutput output) {
    assertReport(
        output,
        with(KAFKA, APPLY),
        "waybill.routes.default.target must be given",
        "the Kafka topic");
  }

  @Test
  void aBrokerAddressThatIsNone(CapturedOutput output) {
    assertReport(
        output,
        with("spring.kafka.bootstrap-servers=kafka", ROUTE, APPLY),
        "must be host:port, separated by commas: 'kafka'",
        "waybill.kafka, else spring.kafka");
  }

  @Test
  void aBadValueOfALayoutsOwnKey(CapturedOutput output) {
    assertReport(
        output,
        with(
            "waybill.outbox.layout=notification",
            "notification.outbox.batch.size=0",
            "notification.outbox.poll.interval=soon",
            "waybill.retry.factor=0",
            APPLY),
        "notification.outbox.batch.size must be 1 to 8000, but is '0'",
        "notification.outbox.poll.interval must be a number of milliseconds",
        "waybill.retry is wrong");
  }

  @Test
  void noBroker(CapturedOutput output) {
    assertReport(
        output, with(ROUTE, APPLY), "No broker is configured", "spring.kafka.bootstrap-servers");
  }

  @Test
  void twoBrokers(CapturedOutput output) {
    assertReport(
        output,
        with(KAFKA, "spring.rabbitmq.host=localhost", ROUTE, APPLY),
        "Both Kafka and RabbitMQ are configured",
        "waybill.broker=kafka");
  }

  @Test
  void allBadValuesAtOnce(CapturedOutput output) {
    assertReport(
        output,
        with(
            KAFKA,
            APPLY,
            "waybill.routes.default.target={nonsense}",
            "waybill.routes.default.format=envelope",
            "waybill.limits.lease=1s",
            "waybill.spring-cloud-stream.delivery-timeout=0s",
            "waybill.limits.max-rows=0",
            "waybill.relay.grace-period=1h",
            "waybill.relay.history=4000d",
            "waybill.retry.attempts=0",
            "waybill.poll.min=2s",
            "waybill.poll.interval=1s",
            "waybill.failure.dead-letter.target=dead"),
        "waybill.routes.default is wrong",
        "source must be given for the formats envelope",
        "waybill.limits.lease must be at least",
        "waybill.spring-cloud-stream.delivery-timeout must be 1s to 600s, but is '0s' (defaultProperties)",
        "waybill.limits.max-rows must be 1 to 1000000, but is '0' (defaultProperties)",
        "waybill.relay.grace-period must be 0s to 600s, but is '1h' (defaultProperties)",
        "waybill.relay.history must be 0s to 315360000s, but is '4000d' (defaultProperties)",
        "waybill.retry is wrong",
        "waybill.poll.interval must not be combined with min and max",
        "waybill.failure.dead-letter needs waybill.failure.policy=bury");
  }

  @Test
  void allValuesOfTheWrongFormAtOnce(CapturedOutput output) {
    assertReport(
        output,
        with(
            KAFKA,
            APPLY,
            "waybill.routes.default=orders",
            "waybill.routes.types.order.placed.target=orders",
            "waybill.relay.grace-period=soon",
            "waybill.relay.query-timeout=5",
            "waybill.relay.enbaled=false",
            "waybill.limits.max-rows=many",
            "waybill.rabbitmq.password=${NOT_SET}"),
        "Waybill's properties are wrong:",
        "waybill.routes.default must be a section with its own keys, but is 'orders'",
        "waybill.routes.types.order.placed.target has a name with dots: put it in brackets,"
            + " waybill.routes.types[order.placed].target",
        "waybill.relay.grace-period must be a whole number with a unit (ms, s, m, h, d), for"
            + " example 15s, but is 'soon' (defaultProperties)",
        "waybill.relay.query-timeout must be a whole number with a unit (ms, s, m, h, d), for"
            + " example 15s, but is '5' (defaultProperties)",
        "waybill.relay.enbaled is not a known key; did you mean 'enabled'? (defaultProperties)",
        "waybill.limits.max-rows must be a whole number, but is 'many' (defaultProperties)",
        "waybill.rabbitmq.password refers to ${NOT_SET}, which is not set (defaultProperties)");
  }

  @Test
  void aValueOfAFileWithItsLine(CapturedOutput output) {
    assertReport(
        output,
        with(KAFKA, ROUTE, APPLY, "spring.config.location=classpath:bad.yaml"),
        "waybill.relay.grace-period must be a whole number with a unit (ms, s, m, h, d), for"
            + " example 15s, but is 'soon' (bad.yaml line 2)",
        "waybill.relay.enbaled is not a known key; did you mean 'enabled'? (bad.yaml line 3)");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoSources {
    @Bean
    DataSource orders() {
      return new PGSimpleDataSource();
    }

    @Bean
    DataSource customers() {
      return new PGSimpleDataSource();
    }
  }

  @Test
  void twoDataSourcesAndNoneChosen(CapturedOutput output) {
    assertReport(
        output,
        TwoSources.class,
        "jdbc:none",
        with(KAFKA, ROUTE),
        "there are [orders, customers]",
        "waybill.outbox.data-source");
  }

  @Test
  void aDataSourceThatThereIsNot(CapturedOutput output) {
    assertReport(
        output,
        TwoSources.class,
        "jdbc:none",
        with(KAFKA, ROUTE, "waybill.outbox.data-source=suppliers"),
        "is suppliers; there are [orders, customers]");
  }

  @Configuration(proxyBeanMethods = false)
  static class SmallPool {
    @Bean
    DataSource dataSource() {
      HikariDataSource pool = new HikariDataSource();
      pool.setDataSourceClassName(PGSimpleDataSource.class.getName());
      pool.setMaximumPoolSize(1);
      return pool;
    }
  }

  @Test
  void aPoolThatTheRelayWouldEmpty(CapturedOutput output) {
    assertReport(
        output,
        SmallPool.class,
        "jdbc:none",
        with(KAFKA, ROUTE),
        "which must have at least 6, but has 1",
        "waybill.relay.enabled=false");
  }

  @Test
  void aSchemaThatIsNoName(CapturedOutput output) {
    assertReport(
        output,
        with(KAFKA, ROUTE, APPLY, "waybill.schema.name=a b"),
        "waybill.schema.name must be a plain name: ",
        "is \"a b\"");
  }

  /** The application starts: the broker may come up later. */
  @Test
  void aBrokerThatDoesNotAnswer(CapturedOutput output) {
    String servers = "127.0.0.1:" + FreePort.find();
    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Tables.create().url(), "spring.kafka.bootstrap-servers=" + servers, ROUTE)) {
      assertThat(context.isRunning()).isTrue();
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .until(
              () -> output.getAll().contains("kafka " + servers + ": the broker does not answer"));
      assertThat(output.getAll())
          .containsOnlyOnce("the broker does not answer")
          .contains("the relay starts nevertheless")
          .doesNotContain("\tat ");
    }
  }
}

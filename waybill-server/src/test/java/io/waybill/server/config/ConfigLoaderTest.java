package io.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.encode.Format;
import io.waybill.jdbc.dialect.SideNames;
import io.waybill.jdbc.dialect.TimeRange;
import io.waybill.layout.Layouts;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.retry.Backoff;
import io.waybill.store.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {
  private static final Path EXAMPLE = Path.of("..", "docs", "relay.yaml");
  private static final Map<String, String> EXAMPLE_SECRETS =
      Map.of("SHOP_DB_PASSWORD", "a", "CRM_DB_PASSWORD", "b", "RABBITMQ_PASSWORD", "c");

  @Test
  void fillsTheDefaults() {
    ServerConfig config = Configs.load(Configs.MINIMAL).config();

    assertThat(config.relayName()).isEqualTo("relay-1");
    assertThat(config.gracePeriod()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.http()).isEqualTo(new HttpConfig(true, "127.0.0.1", 8080));
    assertThat(config.tracing()).isEqualTo(new TracingConfig(null));
    OutboxConfig outbox = config.outboxes().get(0);
    assertThat(outbox.table())
        .isEqualTo(
            new TableConfig(
                Layouts.WAYBILL.table(new TableName("public", "waybill_outbox")),
                new SideNames("public", "waybill_"),
                TableConfig.OnPublished.DELETE,
                Duration.ofDays(7),
                TimeRange.ALL,
                false));
    assertThat(outbox.polling()).isEqualTo(Polling.adaptive());
    assertThat(outbox.limits().lease()).isEqualTo(Duration.ofSeconds(15));
    assertThat(outbox.failure())
        .isEqualTo(new FailureConfig(FailureConfig.Policy.PARK, null, null));
    assertThat(outbox.retry().attemptLimit()).isEqualTo(10);
  }

  @Test
  void theDefaultLeaseIsLongEnoughForADelivery() {
    String yaml =
        Configs.MINIMAL.replace(
            "kafka:", "limits: {renew-interval: 3s}\n    kafka:\n      delivery-timeout: 30s");

    OutboxConfig outbox = Configs.load(yaml).config().outboxes().get(0);

    assertThat(outbox.limits().lease()).isEqualTo(Duration.ofMillis(35_500));
  }

  @Test
  void readsTheAnnotatedExample() {
    LoadedConfig loaded = ConfigLoader.load(EXAMPLE, EXAMPLE_SECRETS, "unused");

    assertThat(loaded.config().relayName()).isEqualTo("relay-1");
    assertThat(loaded.config().tracing().endpoint()).isEqualTo("http://localhost:4318");
    assertThat(loaded.config().outboxes())
        .extracting(OutboxConfig::name)
        .containsExactly("orders", "notifications", "shop");
    OutboxConfig orders = loaded.config().outboxes().get(0);
    assertThat(orders.database().password()).isEqualTo(new Secret("a"));
    assertThat(orders.routes().types().get("order.audited"))
        .isEqualTo(
            new RouteConfig("audit", "", "0", RecordTime.CREATED, Map.of(), Format.ENVELOPE));
    assertThat(orders.failures())
        .containsEntry(
            "audit",
            new FailureConfig(FailureConfig.Policy.BURY, Destination.topic("audit-dead"), null));
    OutboxConfig notifications = loaded.config().outboxes().get(1);
    assertThat(notifications.broker())
        .isInstanceOfSatisfying(
            RabbitConfig.class,
            rabbit ->
                assertThat(rabbit.topology())
                    .extracting(RabbitTopology::queues)
                    .extracting(Map::keySet)
                    .isEqualTo(
                        Set.of(
                            "notification.restaurant",
                            "notification.customer",
                            "notification.agency",
                            "notification.admin",
                            "notification.audit")));
    assertThat(notifications.table().layout())
        .isEqualTo(Layouts.NOTIFICATION.table(new TableName("crm", "event_outbox")));
    assertThat(loaded.config().outboxes().get(2).table().layout().progress().state())
        .isEqualTo(new StateColumn.Word("state", "NEW", "SENT", "DEAD"));
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void theExampleShowsTheDefaultsThatItClaims() {
    ServerConfig example = ConfigLoader.load(EXAMPLE, EXAMPLE_SECRETS, "unused").config();
    ServerConfig minimal = Configs.load(Configs.MINIMAL).config();

    assertThat(example.http()).isEqualTo(minimal.http());
    assertThat(example.logging()).isEqualTo(minimal.logging());
    assertThat(example.gracePeriod()).isEqualTo(minimal.gracePeriod());
    assertThat(example.outboxes().get(0).limits()).isEqualTo(minimal.outboxes().get(0).limits());
    assertThat(example.outboxes().get(0).polling()).isEqualTo(minimal.outboxes().get(0).polling());
    assertThat(example.outboxes().get(0).retry()).isEqualTo(minimal.outboxes().get(0).retry());
  }

  @Test
  void listsAllErrorsAtOnce() {
    String yaml =
        """
        http: {port: 70000, host: "a b"}
        loging: {format: xml}
        outboxes:
          orders:
            database: {url: "jdbc:oracle://x/y"}
            kafka: {bootstrap-servers: [nowhere]}
            limits: {lease: 15}
        """;

    assertThat(Configs.problems(yaml, Map.of()))
        .extracting(Problem::path)
        .contains(
            "http.port",
            "http.host",
            "loging",
            "outboxes.orders.database.url",
            "outboxes.orders.kafka.bootstrap-servers",
            "outboxes.orders.routes",
            "outboxes.orders.limits.lease");
    assertThatThrownBy(() -> Configs.load(yaml))
        .hasMessageContaining("waybill.yaml is refused")
        .hasMessageContaining("http.port must be a whole number from 0 to 65535, but is '70000'")
        .hasMessageContaining("(line 1)")
        .hasMessageContaining("did you mean 'logging'?");
  }

  @ParameterizedTest
  @CsvSource({
    "WAYBILL_HTTP_PORT, 9000",
    "WAYBILL_RELAY_GRACE_PERIOD, 5s",
    "WAYBILL_OUTBOXES_ORDERS_SCHEMA, other",
    "WAYBILL_OUTBOXES_ORDERS_LIMITS_MAX_BYTES, 32MiB",
    "WAYBILL_OUTBOXES_ORDERS_ON_PUBLISHED, keep",
    "WAYBILL_TRACING_ENDPOINT, http://collector:4318"
  })
  void theEnvironmentOverridesAnyKey(String variable, String value) {
    LoadedConfig loaded = Configs.load(Configs.MINIMAL, Map.of(variable, value));

    assertThat(loaded.settings())
        .anySatisfy(
            setting -> {
              assertThat(setting.origin()).isEqualTo(variable);
              assertThat(setting.value()).isEqualTo(value);
            });
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void theEnvironmentCanAddASectionAndAListAndASecret() {
    ServerConfig config =
        Configs.load(
                Configs.MINIMAL,
                Map.of(
                    "WAYBILL_OUTBOXES_ORDERS_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1, [::1]:2",
                    "WAYBILL_OUTBOXES_ORDERS_KAFKA_SASL_USER", "waybill",
                    "WAYBILL_OUTBOXES_ORDERS_KAFKA_SASL_PASSWORD", "canary"))
            .config();

    assertThat(config.outboxes().get(0).broker())
        .isInstanceOfSatisfying(
            KafkaConfig.class,
            kafka -> {
              assertThat(kafka.bootstrapServers()).containsExactly("127.0.0.1:1", "[::1]:2");
              assertThat(kafka.sasl())
                  .isEqualTo(
                      new KafkaConfig.Sasl(
                          KafkaConfig.Mechanism.SCRAM_SHA_512, "waybill", new Secret("canary")));
            });
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h:1/shop, true, public",
    "jdbc:mysql://h/shop, false, shop",
    "'jdbc:mariadb://h1:3306,h2/shop', false, shop"
  })
  void readsUrlsOfEveryDatabase(String url, boolean postgres, String schema) {
    OutboxConfig outbox =
        Configs.load(Configs.MINIMAL.replace("jdbc:postgresql://localhost:5432/shop", url))
            .config()
            .outboxes()
            .get(0);

    assertThat(outbox.database().postgres()).isEqualTo(postgres);
    assertThat(outbox.database().url()).isEqualTo(url);
    assertThat(outbox.table().schema()).isEqualTo(schema);
  }

  @Test
  void presetsHaveTheRoutesPollingAndPoliciesOfTheirDocuments() {
    String rabbit =
        """
        outboxes:
          crm:
            database: {url: "jdbc:mysql://localhost/crm"}
            layout: notification
            retry: {policy: constant}
            rabbitmq: {addresses: [localhost:5672]}
        """;
    OutboxConfig notification = Configs.load(rabbit).config().outboxes().get(0);
    assertThat(notification.routes().fallback())
        .isEqualTo(
            new RouteConfig(
                "notifications.exchange",
                "notification.{aggregateType|lower}",
                null,
                RecordTime.SENT,
                Map.of(),
                Format.GENERIC));
    assertThat(notification.failure().policy()).isEqualTo(FailureConfig.Policy.BURY);
    assertThat(notification.retry().backoff())
        .isEqualTo(new Backoff.Constant(Duration.ofSeconds(1)));
    assertThat(notification.polling())
        .isEqualTo(
            Polling.fixedDelay(Duration.ofSeconds(1))
                .initialDelay(Duration.ofSeconds(2))
                .batch(100));

    OutboxConfig wallet = withoutRoutes("layout: wallet");
    assertThat(wallet.polling()).isEqualTo(Polling.fixedRate(Duration.ofSeconds(5)));
    assertThat(wallet.routes().fallback())
        .extracting(RouteConfig::target)
        .isEqualTo("{eventType}-out-0");
    assertThat(withoutRoutes("layout: wallet\npoll: {mode: adaptive, batch: 7}").polling())
        .isEqualTo(Polling.adaptive().batch(7));
    assertThat(withoutRoutes("layout: wallet\nlimits: {max-rows: 1000}").polling().batch())
        .as("a batch that nobody chose is no larger than what the relay may hold")
        .isEqualTo(1000);
    assertThat(withoutRoutes("layout: debezium").routes().fallback())
        .extracting(RouteConfig::headers)
        .isEqualTo(Map.of("id", "{eventId}"));
    assertThat(withoutRoutes("layout: polyshop\nroutes: {source: shop}").routes().fallback())
        .extracting(RouteConfig::format)
        .isEqualTo(Format.ENVELOPE);
    OutboxConfig explicit =
        Configs.load(Configs.outboxWith("layout: wallet")).config().outboxes().get(0);
    assertThat(explicit.routes().fallback())
        .extracting(RouteConfig::target)
        .as("explicit routes win")
        .isEqualTo("orders");
  }

  private static OutboxConfig withoutRoutes(String lines) {
    String minimal = Configs.MINIMAL.substring(0, Configs.MINIMAL.indexOf("    routes:"));
    return Configs.load(minimal + lines.indent(4)).config().outboxes().get(0);
  }

  @Test
  void warnsOfRowsThatNothingOrders() {
    assertThat(Configs.load(Configs.outboxWith("layout: debezium")).warnings())
        .singleElement()
        .asString()
        .contains("outboxes.orders.order is not given");
    assertThat(
            Configs.load(Configs.outboxWith("layout: debezium\norder: {column: timestamp}"))
                .warnings())
        .isEmpty();
  }

  @Test
  void warnsOfVariablesThatNameNothingInsteadOfFailing() {
    // A container platform sets variables of its own for a service that is called waybill.
    assertThat(Configs.load(Configs.MINIMAL, Map.of("WAYBILL_PORT", "tcp://10.0.0.1")).warnings())
        .containsExactly("environment variable WAYBILL_PORT names no setting and is ignored");
  }

  @Test
  void warnsOfConnectionsThatLeaveTheMachineInClearText() {
    List<String> warnings =
        Configs.load(
                Configs.MINIMAL
                        .replace("localhost:5432", "db.example.com")
                        .replace("localhost:9092", "kafka.example.com:9092")
                    + "http: {host: 0.0.0.0}\n")
            .warnings();

    assertThat(warnings).anyMatch(warning -> warning.contains("sslmode to verify-full"));
    assertThat(warnings).anyMatch(warning -> warning.contains("bootstrap-servers leave"));
    assertThat(warnings).anyMatch(warning -> warning.contains("http.host 0.0.0.0"));
  }

  @Test
  void toleratesAByteOrderMark() {
    assertThat(Configs.load("\uFEFF" + Configs.MINIMAL).config().outboxes()).hasSize(1);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> ConfigLoader.load(Path.of("nowhere.yaml"), Map.of(), "relay-1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nowhere.yaml")
        .hasMessageContaining("cannot be read");
  }
}

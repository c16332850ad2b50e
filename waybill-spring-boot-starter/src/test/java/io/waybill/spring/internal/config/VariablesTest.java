package io.waybill.spring.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.properties.KafkaProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which keys environment variables mean. */
class VariablesTest {
  @TempDir private Path folder;

  private LoadedConfig<RelayConfig> load(String yaml, Map<String, String> variables) {
    return Configs.load(folder, yaml, variables);
  }

  @ParameterizedTest
  @CsvSource({
    "WAYBILL_RELAY_GRACE_PERIOD, 5s",
    "WAYBILL_RELAY_GRACEPERIOD, 5s",
    "WAYBILL_OUTBOXES_ORDERS_SCHEMA_NAME, other",
    "WAYBILL_OUTBOXES_ORDERS_LIMITS_MAX_BYTES, 32MB",
    "WAYBILL_OUTBOXES_ORDERS_ON_PUBLISHED, keep",
    "WAYBILL_OUTBOXES_ORDERS_ROUTES_DEFAULT_TARGET, x",
    "WAYBILL_OUTBOXES_ORDERS_ROUTES_TYPES_ORDER_PLACED_TARGET, x",
    "WAYBILL_OUTBOXES_ORDERS_KAFKA_PROPERTIES_LINGER_MS, 5",
    "WAYBILL_OUTBOXES_ORDERS_DATABASE_PROPERTIES_APPLICATIONNAME, x",
    "WAYBILL_OUTBOXES_ORDERS_KAFKA_BOOTSTRAP_SERVERS_0, h:1"
  })
  void aVariableNamesAnyKey(String variable, String value) {
    LoadedConfig<RelayConfig> loaded = load(Configs.MINIMAL, Map.of(variable, value));

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.settings())
        .anySatisfy(
            setting -> {
              assertThat(setting.origin()).isEqualTo(variable);
              assertThat(setting.value()).isEqualTo(value);
            });
    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.get().outboxes()).containsOnlyKeys("orders");
  }

  /** Spring Boot by itself would make a second outbox of it. */
  @Test
  void aVariableMeansTheOutboxThatTheFileNames() {
    String yaml = Configs.MINIMAL.replace("orders:\n    ", "my-orders:\n    ");

    LoadedConfig<RelayConfig> loaded =
        load(
            yaml,
            Map.of(
                "WAYBILL_OUTBOXES_MY_ORDERS_SCHEMA_NAME", "a",
                "WAYBILL_OUTBOXES_MYORDERS_RETENTION", "1d"));

    assertThat(loaded.get().outboxes())
        .containsOnlyKeys("my-orders")
        .allSatisfy(
            (name, box) -> {
              assertThat(box.schema().name()).isEqualTo("a");
              assertThat(box.retention()).isEqualTo(Duration.ofDays(1));
            });
  }

  @Test
  void variablesAloneAreEnough() {
    LoadedConfig<RelayConfig> loaded =
        Configs.LOADER.load(
            Map.of(
                "WAYBILL_OUTBOXES_MY_ORDERS_DATABASE_URL", "jdbc:mysql://h/shop",
                "WAYBILL_OUTBOXES_MY_ORDERS_DATABASE_PASSWORD", "secret",
                "WAYBILL_OUTBOXES_MY_ORDERS_DATABASE_PROPERTIES_SSLMODE", "verify-full",
                "WAYBILL_OUTBOXES_MY_ORDERS_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1, [::1]:2",
                "WAYBILL_OUTBOXES_MY_ORDERS_ROUTES_DEFAULT_TARGET", "orders",
                "WAYBILL_OUTBOXES_MY_ORDERS_ROUTES_TYPES_ORDER_PLACED_TARGET", "placed"));

    assertThat(loaded.get().outboxes()).containsOnlyKeys("my-orders");
    RelayConfig.Box box = Objects.requireNonNull(loaded.get().outboxes().get("my-orders"));
    assertThat(box.kafka())
        .extracting(KafkaProperties::bootstrapServers)
        .isEqualTo(List.of("127.0.0.1:1", "[::1]:2"));
    assertThat(box.database().properties()).isEqualTo(Map.of("sslMode", "verify-full"));
    assertThat(box.routes().types()).containsOnlyKeys("order.placed");
    assertThat(loaded.warnings()).isEmpty();
  }

  /** A secret folder besides, as a container without a file has it. */
  @Test
  void variablesAloneMayImport() {
    Configs.write(folder, "waybill.relay.name", "a\n");
    Map<String, String> variables = Map.of("SPRING_CONFIG_IMPORT", "configtree:" + folder + "/");

    assertThat(Configs.LOADER.load(variables).get().relay().name()).isEqualTo("a");
    assertThat(
            Configs.LOADER.load(Map.of("SPRING_CONFIG_IMPORT", "configtree:/nowhere/")).problems())
        .singleElement()
        .hasToString(
            "spring.config.import names configtree:/nowhere/, which does not exist: put optional:"
                + " before it if it may be missing");
  }

  @Test
  void anAllowListHoldsForVariables() {
    Map<String, String> variables =
        Map.of(
            "WAYBILL_OUTBOXES_ORDERS_KAFKA_PROPERTIES_ENABLE_IDEMPOTENCE", "false",
            "WAYBILL_OUTBOXES_ORDERS_DATABASE_PROPERTIES_SOCKETFACTORY", "x");

    assertThat(load(Configs.MINIMAL, variables).problems())
        .extracting(Problem::toString)
        .containsExactly(
            "waybill.outboxes.orders.database.properties must not contain 'socketfactory'; allowed"
                + " are ApplicationName, sslmode, sslrootcert"
                + " (WAYBILL_OUTBOXES_ORDERS_DATABASE_PROPERTIES_SOCKETFACTORY)",
            "waybill.outboxes.orders.kafka.properties must not contain 'enable.idempotence';"
                + " allowed are compression.type, linger.ms"
                + " (WAYBILL_OUTBOXES_ORDERS_KAFKA_PROPERTIES_ENABLE_IDEMPOTENCE)");
  }

  /** A service that is called waybill, and one that is called waybill-http. */
  @Test
  void variablesOfKubernetesSayNothing() {
    Map<String, String> variables =
        Map.ofEntries(
            Map.entry("WAYBILL_SERVICE_HOST", "10.0.0.1"),
            Map.entry("WAYBILL_SERVICE_PORT", "8080"),
            Map.entry("WAYBILL_SERVICE_PORT_HTTP", "8080"),
            Map.entry("WAYBILL_PORT", "tcp://10.0.0.1:8080"),
            Map.entry("WAYBILL_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            Map.entry("WAYBILL_PORT_8080_TCP_PROTO", "tcp"),
            Map.entry("WAYBILL_PORT_8080_TCP_PORT", "8080"),
            Map.entry("WAYBILL_PORT_8080_TCP_ADDR", "10.0.0.1"),
            Map.entry("WAYBILL_HTTP_PORT", "tcp://10.0.0.1:8080"),
            Map.entry("WAYBILL_HTTP_SERVICE_HOST", "fd00::1"),
            Map.entry("WAYBILL_HTTP_SERVICE_PORT_METRICS", "8080"),
            Map.entry("WAYBILL_CONFIG", "x"));

    LoadedConfig<RelayConfig> loaded = load(Configs.MINIMAL, variables);

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void warnsOfVariablesThatNameNothing() {
    Map<String, String> variables =
        Map.of(
            "WAYBILL_OUTBOXES_ORDERS_LIMTS_LEASE", "20s",
            "WAYBILL_PORT", "8080",
            "WAYBILL_RELAY_NAMES", "x");

    assertThat(load(Configs.MINIMAL, variables).warnings())
        .containsExactly(
            "environment variable WAYBILL_OUTBOXES_ORDERS_LIMTS_LEASE names no setting and is"
                + " ignored; did you mean WAYBILL_OUTBOXES_ORDERS_LIMITS_LEASE?",
            "environment variable WAYBILL_PORT names no setting and is ignored",
            "environment variable WAYBILL_RELAY_NAMES names no setting and is ignored; did you"
                + " mean WAYBILL_RELAY_NAME?");
  }
}

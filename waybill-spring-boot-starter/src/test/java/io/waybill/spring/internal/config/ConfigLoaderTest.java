package io.waybill.spring.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.OnPublished;
import io.waybill.database.Pooler;
import io.waybill.spring.properties.KafkaProperties;
import io.waybill.spring.properties.WaybillProperties.RouteTo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** What is read from files and variables, and where it came from. */
class ConfigLoaderTest {
  private static final String ORDERS = "waybill.outboxes.orders.";
  @TempDir private Path folder;

  private LoadedConfig<RelayConfig> load(String yaml, Map<String, String> variables) {
    return Configs.load(folder, yaml, variables);
  }

  private static RelayConfig.Box orders(LoadedConfig<RelayConfig> loaded) {
    return Objects.requireNonNull(loaded.get().outboxes().get("orders"));
  }

  @Test
  void fillsTheDefaults() {
    LoadedConfig<RelayConfig> loaded = load(Configs.MINIMAL, Map.of());
    RelayConfig.Box orders = orders(loaded);

    assertThat(loaded.get().relay().gracePeriod()).isEqualTo(Duration.ofSeconds(20));
    assertThat(orders.onPublished()).isEqualTo(OnPublished.DELETE);
    assertThat(orders.retention()).isEqualTo(Duration.ofDays(7));
    assertThat(orders.limits().maxBytes()).isEqualTo(DataSize.ofMegabytes(16));
    assertThat(orders.database().pooler()).isEqualTo(Pooler.NONE);
    assertThat(orders.rabbitmq()).isNull();
    assertThat(orders.kafka())
        .extracting(KafkaProperties::bootstrapServers)
        .isEqualTo(List.of("localhost:9092"));
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void listsEachSettingWithItsOrigin() {
    String yaml = Configs.outboxWith("limits: {max-rows: 7}");

    List<Setting> settings = load(yaml, Map.of("WAYBILL_RELAY_NAME", "r1", "SHOP", "x")).settings();

    assertThat(settings)
        .contains(
            new Setting("waybill.relay.name", "r1", "WAYBILL_RELAY_NAME"),
            new Setting("waybill.relay.grace-period", "20s", "default"),
            new Setting(
                ORDERS + "database.url",
                "jdbc:postgresql://localhost:5432/shop",
                "relay.yaml line 5"),
            new Setting(ORDERS + "database.username", "", "not set"),
            new Setting(
                ORDERS + "kafka.bootstrap-servers[0]", "localhost:9092", "relay.yaml line 7"),
            new Setting(ORDERS + "limits.max-rows", "7", "relay.yaml line 11"),
            new Setting(ORDERS + "limits.max-bytes", "16MB", "default"),
            new Setting(ORDERS + "routes.default.target", "orders", "relay.yaml line 10"),
            new Setting(ORDERS + "routes.default.format", "raw", "default"))
        .doesNotHaveDuplicates();
    assertThat(settings).noneMatch(setting -> setting.key().contains("rabbitmq"));
    assertThat(settings.get(0)).isEqualTo(new Setting("waybill.relay.enabled", "true", "default"));
  }

  @Test
  void anEventTypeNeedsNoBrackets() {
    String yaml =
        Configs.MINIMAL
            + """
            types:
              order.placed: {target: placed, headers: {shop.key: a}}
              "[order.Paid]": {target: paid}
            """
                .indent(8);

    Map<String, RouteTo> types = orders(load(yaml, Map.of())).routes().types();

    assertThat(types).containsOnlyKeys("order.placed", "order.Paid");
    assertThat(types.get("order.placed"))
        .extracting(RouteTo::headers)
        .isEqualTo(Map.of("shop.key", "a"));
  }

  /** Words and numbers that YAML 1.1 reads in its own way. */
  @ParameterizedTest
  @ValueSource(strings = {"no", "on", "010", "1.10", "1e3", "0x1F", "12:30:45", "2026-01-01"})
  void aTextIsWhatIsWritten(String written) {
    String yaml = Configs.MINIMAL.replace("target: orders", "target: " + written);

    assertThat(orders(load(yaml, Map.of())).routes().fallback())
        .extracting(RouteTo::target)
        .isEqualTo(written);
  }

  @Test
  void placeholdersReferToVariablesAndKeys() {
    String yaml =
        Configs.MINIMAL
                .replace("localhost:5432/shop", "${DB_HOST}:5432/${shop-name:shop}")
                .replace("target: orders", "target: ${topics.orders}")
            + "topics: {orders: placed}\n";

    RelayConfig.Box orders = orders(load(yaml, Map.of("DB_HOST", "${A}", "A", "db1")));

    assertThat(orders.database().url()).isEqualTo("jdbc:postgresql://db1:5432/shop");
    assertThat(orders.routes().fallback()).extracting(RouteTo::target).isEqualTo("placed");
  }

  @Test
  void profilesHaveFilesOfTheirOwn() {
    Configs.write(folder, "relay-prod.yaml", "waybill: {relay: {name: prod, nam: x}}\n");

    LoadedConfig<RelayConfig> loaded =
        load(Configs.MINIMAL, Map.of("SPRING_PROFILES_ACTIVE", "prod"));

    assertThat(loaded.settings())
        .contains(new Setting("waybill.relay.name", "prod", "relay-prod.yaml line 1"));
    assertThat(loaded.problems())
        .containsExactly(
            new Problem(
                "waybill.relay.nam",
                "is not a known key; did you mean 'name'?",
                "",
                "relay-prod.yaml line 1"));
  }

  @Test
  void aListComesFromOneSource() {
    String yaml = Configs.MINIMAL.replace("[localhost:9092]", "[localhost:9092, localhost:9093]");

    LoadedConfig<RelayConfig> loaded =
        load(yaml, Map.of("WAYBILL_OUTBOXES_ORDERS_KAFKA_BOOTSTRAP_SERVERS", "h:1"));

    assertThat(orders(loaded).kafka())
        .extracting(KafkaProperties::bootstrapServers)
        .isEqualTo(List.of("h:1"));
    assertThat(loaded.settings())
        .filteredOn(setting -> setting.key().contains("bootstrap"))
        .hasSize(1);
  }

  @Test
  void aKeyOfSpringBootThatIsDeprecatedIsAWarning() {
    String yaml = Configs.MINIMAL + "management: {endpoints: {enabled-by-default: false}}\n";

    LoadedConfig<RelayConfig> loaded = load(yaml, Map.of());

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings())
        .singleElement()
        .asString()
        .startsWith("management.endpoints.enabled-by-default is deprecated (relay.yaml line 11)");
  }

  @Test
  void takesWhatSpringBootTakes() {
    String yaml =
        Configs.MINIMAL
            + """
            server: {port: 8080, address: 0.0.0.0, ssl: {bundle: web}, shutdown: graceful}
            management:
              endpoints: {web: {exposure: {include: "health,prometheus"}, base-path: /}}
              endpoint:
                health:
                  probes: {enabled: true}
                  group: {readiness: {include: [readinessState, waybill]}}
              metrics: {tags: {a: b}, distribution: {slo: {http.server.requests: [1ms, 2ms]}}}
            logging:
              level: {root: off, io.waybill: DEBUG}
              structured: {format: {console: ecs}}
              pattern: {console: "%d ${X:-}%m%n"}
            spring:
              application: {name: relay}
              lifecycle: {timeout-per-shutdown-phase: 30s}
              ssl: {bundle: {pem: {web: {keystore: {certificate: "file:/c", private-key: "file:/k"}}}}}
              main: {banner-mode: off}
            """;

    assertThat(load(yaml, Map.of()).problems()).isEmpty();
  }

  @Test
  void otherFormsOfFilesAreRead() throws Exception {
    Path marked = Configs.write(folder, "marked.yaml", "\uFEFF" + Configs.MINIMAL);
    Path named = Configs.write(folder, "relay with a name.conf", Configs.MINIMAL);
    Path properties =
        Configs.write(folder, "relay.properties", "waybill.relay.name=a\nwaybill.relay.nam=b\n");

    assertThat(Configs.LOADER.load(marked, Map.of()).get().outboxes()).hasSize(1);
    assertThat(Configs.LOADER.load(named, Map.of()).get().outboxes()).hasSize(1);
    assertThat(Configs.LOADER.load(properties, Map.of()).problems())
        .extracting(Problem::origin)
        .containsExactly("relay.properties line 2");
    assertThat(Files.size(properties)).isPositive();
  }
}

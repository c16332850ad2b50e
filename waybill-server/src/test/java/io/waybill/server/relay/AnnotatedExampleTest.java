package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that lists all keys is a configuration. */
class AnnotatedExampleTest {
  private static final Map<String, String> SECRETS =
      Map.of("SHOP_DB_PASSWORD", "a", "CRM_DB_PASSWORD", "b", "RABBITMQ_PASSWORD", "c");

  @TempDir private Path folder;

  private static LoadedConfig<WaybillProperties> example() {
    return Loaded.of(Path.of("../docs/relay.yaml"), SECRETS);
  }

  @Test
  void isRead() {
    LoadedConfig<WaybillProperties> loaded = example();

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.get().outboxes()).containsOnlyKeys("orders", "notifications", "shop");
    assertThat(Loaded.outbox(loaded, "orders").database().password()).isEqualTo("a");
    assertThat(Loaded.outbox(loaded, "orders").failure().destinations()).containsOnlyKeys("audit");
    assertThat(Loaded.outbox(loaded, "shop").layout()).isEqualTo(LayoutName.CUSTOM);
  }

  @Test
  void showsTheDefaultsThatItClaims() {
    OutboxProperties orders = Loaded.outbox(example(), "orders");
    OutboxProperties usual = Loaded.outbox(Loaded.of(folder, Loaded.AWAY, Map.of()), "orders");

    assertThat(orders.database().connectTimeout()).isEqualTo(usual.database().connectTimeout());
    assertThat(orders.database().queryTimeout()).isEqualTo(usual.database().queryTimeout());
    assertThat(orders.schema().mode()).isEqualTo(usual.schema().mode());
    assertThat(orders.schema().lanes()).isEqualTo(usual.schema().lanes());
    assertThat(orders.retry())
        .usingRecursiveComparison()
        .ignoringFields("delay")
        .isEqualTo(usual.retry());
    assertThat(orders.limits())
        .usingRecursiveComparison()
        .ignoringFields("lease", "maxInFlight")
        .isEqualTo(usual.limits());
    assertThat(orders.kafka())
        .usingRecursiveComparison()
        .ignoringFields("bootstrapServers", "createTopics", "properties", "allowPlaintextPasswords")
        .isEqualTo(usual.kafka());
  }
}

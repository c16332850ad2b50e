package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.config.Problem;
import io.waybill.spring.internal.config.Setting;
import io.waybill.spring.properties.WaybillProperties;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What is said about Waybill's keys in an application. */
class ConfigCheckTest {
  private static LoadedConfig<WaybillProperties> check(
      Map<String, Object> properties, Map<String, Object> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    environment
        .getPropertySources()
        .replace(system, new SystemEnvironmentPropertySource(system, variables));
    environment.getPropertySources().addLast(new MapPropertySource("mine", properties));
    return ConfigCheck.of(environment);
  }

  @Test
  void keysOfOthersAreNoneOfWaybillsBusiness() {
    LoadedConfig<WaybillProperties> loaded =
        check(Map.of("shop.name", "a", "server.prot", "b", "waybills.x", "c"), Map.of());

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings()).isEmpty();
  }

  /** As every application has its passwords; who may read its files is its own matter. */
  @Test
  void aSecretMayStandInAFileButIsNotShown() {
    LoadedConfig<WaybillProperties> loaded =
        check(Map.of("waybill.rabbitmq.password", "canary"), Map.of());

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.settings()).contains(new Setting("waybill.rabbitmq.password", "***", "mine"));
  }

  @Test
  void valuesMayBeObjects() {
    Map<String, Object> properties =
        Map.of(
            "waybill.kafka.bootstrap-servers", List.of("a:1", "b:2"),
            "waybill.kafka.properties", Map.of("linger.ms", "1"),
            "waybill.relay.grace-period", java.time.Duration.ofSeconds(5),
            "waybill.relay.enabled", false,
            "waybill.limits.max-bytes", org.springframework.util.unit.DataSize.ofMegabytes(2));

    assertThat(check(properties, Map.of()).problems()).isEmpty();
  }

  @Test
  void aVariableIsCheckedByItsName() {
    Map<String, Object> variables =
        Map.of(
            "WAYBILL_LIMITS_MAXROWS", "many",
            "waybill.relay.phase", "x",
            "WAYBILL_LIMTS_LEASE", "5s",
            "WAYBILL_PORT", "tcp://10.0.0.1:8080");

    LoadedConfig<WaybillProperties> loaded = check(Map.of(), variables);

    assertThat(loaded.problems())
        .containsExactlyInAnyOrder(
            new Problem(
                "waybill.limits.max-rows",
                "must be a whole number",
                "many",
                "WAYBILL_LIMITS_MAXROWS"),
            new Problem(
                "waybill.relay.phase", "must be a whole number", "x", "waybill.relay.phase"));
    assertThat(loaded.warnings())
        .containsExactly(
            "environment variable WAYBILL_LIMTS_LEASE names no setting and is ignored; did you"
                + " mean WAYBILL_LIMITS_LEASE?");
  }
}

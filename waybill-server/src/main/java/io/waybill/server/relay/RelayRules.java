package io.waybill.server.relay;

import io.waybill.spring.autoconfigure.WaybillProperties;
import io.waybill.spring.config.LoadedConfig;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What holds for a standalone relay's keys of Spring Boot: one that would do nothing is refused.
 */
public final class RelayRules {
  private static final String LOGS = "has no effect: lines go to standard error";
  private static final Map<String, String> WITHOUT_EFFECT =
      Map.of(
          "spring.datasource",
          "has no effect: each outbox has its database",
          "logging.file",
          LOGS,
          "logging.logback",
          LOGS,
          "logging.pattern",
          "has no effect: see logging.structured.format.console");

  private RelayRules() {}

  /**
   * Checks them; what is wrong is added to the problems of the configuration.
   *
   * @param loaded what was read
   */
  public static void check(LoadedConfig<WaybillProperties> loaded) {
    Environment environment = loaded.environment();
    Binder binder = Binder.get(environment);
    WITHOUT_EFFECT.forEach(
        (key, rule) -> {
          if (binder.bind(key, Bindable.mapOf(String.class, Object.class)).isBound()) {
            loaded.problem(key, rule);
          }
        });
    if (!RelayDefaults.isLocal(environment) && !RelayDefaults.hasLogin(environment)) {
      loaded.warn(
          "server.address "
              + environment.getProperty(RelayDefaults.ADDRESS)
              + " is reachable from other machines, and health and metrics ask for no password:"
              + " set spring.security.user.name and spring.security.user.password");
    }
  }
}

package io.waybill.server.relay;

import io.waybill.internal.text.Loopback;
import io.waybill.server.login.IssuerLogin;
import io.waybill.server.login.LoginStore;
import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.internal.api.Role;
import io.waybill.spring.properties.WaybillProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Values of Spring Boot's keys that nobody has given: those of a relay, not of a web application.
 */
final class RelayDefaults {
  static final String ADDRESS = "server.address";
  static final String PORT = "server.port";
  static final String LOGIN = "spring.security.user.password";
  static final String API = "waybill.api.enabled";
  static final String CONSOLE = "waybill.console.enabled";
  private static final String THIS_MACHINE = "127.0.0.1";
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private RelayDefaults() {}

  /** Whether health and metrics can be reached from this machine alone. */
  static boolean isLocal(Environment environment) {
    return Loopback.isHost(given(environment, ADDRESS).orElse(THIS_MACHINE));
  }

  /** Whether users and their passwords protect them. */
  static boolean hasLogin(Environment environment) {
    return hasPassword(environment) || hasApi(environment);
  }

  /** Whether there is one user, of Spring Boot's key. */
  static boolean hasPassword(Environment environment) {
    return given(environment, LOGIN).isPresent();
  }

  /** Whether the API is served. */
  static boolean hasApi(Environment environment) {
    return given(environment, API).filter("true"::equalsIgnoreCase).isPresent();
  }

  /** Whether the API has users with passwords: without an issuer there is a first one. */
  static boolean hasUsers(Environment environment, WaybillProperties properties) {
    return hasApi(environment)
        && (hasPassword(environment)
            || properties.api().users() != null
            || !hasIssuer(environment));
  }

  /** Whether tokens of an issuer are taken. */
  static boolean hasIssuer(Environment environment) {
    return given(environment, TokenRules.ISSUER).isPresent();
  }

  /** Whether browsers log in at that issuer. */
  static boolean hasIssuerLogin(Environment environment) {
    return hasApi(environment)
        && hasIssuer(environment)
        && !ClientRules.registrations(environment).isEmpty();
  }

  /** Whether the console is served: unless said otherwise where browsers can log in. */
  static boolean hasConsole(Environment environment, WaybillProperties properties) {
    return hasApi(environment)
        && given(environment, CONSOLE)
            .map("true"::equalsIgnoreCase)
            .orElseGet(() -> hasUsers(environment, properties) || hasIssuerLogin(environment));
  }

  /** A value, in whichever of Spring Boot's ways its key is written. */
  static Optional<String> given(Environment environment, String key) {
    BindResult<String> found = Binder.get(environment).bind(key, String.class);
    return found.isBound() ? Optional.of(found.get()) : Optional.empty();
  }

  static Map<String, Object> of(Environment environment, WaybillProperties properties) {
    WaybillProperties.Relay relay = properties.relay();
    boolean open = isLocal(environment) && !hasLogin(environment);
    Map<String, Object> defaults = new LinkedHashMap<>();
    defaults.put(ADDRESS, THIS_MACHINE);
    defaults.put(PORT, 8080);
    defaults.put("server.shutdown", "immediate");
    // A token has the roles of its user for all services.
    defaults.put("server.max-http-request-header-size", hasIssuer(environment) ? "16KB" : "8KB");
    // On Kubernetes, Spring Boot would believe whoever says to be a proxy.
    defaults.put("server.forward-headers-strategy", "none");
    defaults.put("server.tomcat.connection-timeout", "10s");
    defaults.put("server.tomcat.max-connections", "100");
    // Beside what the API answers at a time there is room for probes.
    int asked =
        hasApi(environment)
            ? OutboxApi.AT_A_TIME * properties.outboxes().size()
                + LoginStore.AT_A_TIME
                + IssuerLogin.AT_A_TIME
            : 0;
    defaults.put("server.tomcat.threads.max", Integer.toString(8 + asked));
    defaults.put("server.tomcat.threads.min-spare", "2");
    defaults.put("spring.web.resources.add-mappings", "false");
    defaults.put(
        "spring.lifecycle.timeout-per-shutdown-phase", relay.gracePeriod().plus(MARGIN).toString());
    defaults.put("management.endpoints.web.base-path", "/");
    defaults.put("management.endpoints.web.discovery.enabled", "false");
    defaults.put("management.endpoints.web.path-mapping.prometheus", "metrics");
    defaults.put("management.endpoints.web.exposure.include", "health,prometheus");
    defaults.put("management.endpoint.loggers.access", "read-only");
    defaults.put("management.endpoint.health.show-details", open ? "always" : "when-authorized");
    if (hasApi(environment)) {
      // Their reasons name every outbox.
      defaults.put(
          "management.endpoint.health.roles",
          Stream.of(Role.values()).map(Role::role).collect(Collectors.joining(",")));
    }
    if (hasIssuer(environment)) {
      defaults.putAll(TokenRules.defaults(environment));
      defaults.putAll(ClientRules.defaults(environment));
    }
    defaults.put(CONSOLE, Boolean.toString(hasConsole(environment, properties)));
    group(defaults, "liveness", "livenessState,waybillLiveness", "server:/livez");
    group(
        defaults,
        "readiness",
        relay.enabled() ? "readinessState,waybill" : "readinessState",
        "server:/readyz");
    defaults.put("management.health.diskspace.enabled", "false");
    if (given(environment, "logging.structured.format.console").isPresent()) {
      defaults.put("logging.config", "classpath:waybill-json.xml");
    }
    return defaults;
  }

  private static void group(
      Map<String, Object> defaults, String name, String indicators, String path) {
    String group = "management.endpoint.health.group." + name;
    defaults.put(group + ".include", indicators);
    defaults.put(group + ".additional-path", path);
  }
}

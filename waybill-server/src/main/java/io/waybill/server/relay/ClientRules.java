package io.waybill.server.relay;

import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Rules and defaults for Spring Boot's keys of a client, by which browsers log in at the issuer.
 */
final class ClientRules {
  private static final String CLIENT = "spring.security.oauth2.client";
  private static final String REGISTRATIONS = CLIENT + ".registration";

  private ClientRules() {}

  static Set<String> registrations(Environment environment) {
    return Binder.get(environment)
        .bind(REGISTRATIONS, Bindable.mapOf(String.class, Object.class))
        .orElse(Map.of())
        .keySet();
  }

  /** What nobody has given. */
  static Map<String, Object> defaults(Environment environment) {
    Map<String, Object> defaults = new LinkedHashMap<>();
    Optional<String> issuer = RelayDefaults.given(environment, TokenRules.ISSUER);
    for (String id : registrations(environment)) {
      issuer.ifPresent(name -> defaults.put(issuerKey(environment, id), name));
      defaults.put(key(id, "scope"), "openid");
    }
    return defaults;
  }

  private static String issuerKey(Environment environment, String id) {
    String provider = RelayDefaults.given(environment, key(id, "provider")).orElse(id);
    return CLIENT + ".provider." + provider + ".issuer-uri";
  }

  private static String key(String id, String name) {
    return REGISTRATIONS + "." + id + "." + name;
  }

  static void check(LoadedConfig<WaybillProperties> loaded) {
    Environment environment = loaded.environment();
    Set<String> ids = registrations(environment);
    if (ids.isEmpty()) {
      return;
    }
    Optional<String> issuer = RelayDefaults.given(environment, TokenRules.ISSUER);
    if (!RelayDefaults.hasApi(environment)) {
      loaded.problem(REGISTRATIONS, "has no effect without waybill.api.enabled");
    } else if (issuer.isEmpty()) {
      loaded.problem(REGISTRATIONS, "needs " + TokenRules.ISSUER);
    } else if (ids.size() > 1) {
      loaded.problem(REGISTRATIONS, "must have one client", String.join(", ", ids));
    }
    for (String id : ids) {
      for (String name : List.of("client-id", "client-secret")) {
        if (RelayDefaults.given(environment, key(id, name)).isEmpty()) {
          loaded.problem(REGISTRATIONS + "." + id, "must have " + name);
        }
      }
      RelayDefaults.given(environment, issuerKey(environment, id))
          .filter(name -> !issuer.equals(Optional.of(name)))
          .ifPresent(
              name ->
                  loaded.problem(
                      issuerKey(environment, id), "must be that of " + TokenRules.ISSUER));
    }
  }
}

package io.waybill.server.relay;

import io.waybill.server.access.UsersFile;
import io.waybill.spring.internal.api.Role;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.env.Environment;

/**
 * Rules for Spring Boot's keys in a standalone relay: a key that would have no effect is refused.
 */
public final class RelayRules {
  private static final String LOGS = "has no effect: lines go to standard error";
  private static final String OWN = "does not apply to a relay, which Waybill assembles";
  private static final Map<String, String> WITHOUT_EFFECT =
      Map.of(
          "management.server",
          "has no effect: health and metrics are at server.address and server.port",
          "spring.autoconfigure",
          OWN,
          "spring.main",
          OWN,
          "spring.datasource",
          "has no effect: each outbox has its database",
          "logging.file",
          LOGS,
          "logging.logback",
          LOGS,
          "logging.pattern",
          "has no effect: see logging.structured.format.console");

  private static final String USER = "spring.security.user.name";

  private static final String ROLES = "spring.security.user.roles";
  private static final Optional<String> NOWHERE = Optional.of("-1");
  private static final String LOGINS = "waybill.api.login.outbox";
  private static final String STRATEGY = "server.forward-headers-strategy";
  private static final String REMOTE_IP = "server.tomcat.remoteip.";

  private RelayRules() {}

  /**
   * Checks the keys and adds each problem to those of the configuration.
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
    json(loaded);
    documented(loaded);
    login(loaded);
    proxies(loaded);
    TokenRules.check(loaded);
    ClientRules.check(loaded);
    resources(loaded, binder);
    if (!RelayDefaults.isLocal(environment) && !RelayDefaults.hasLogin(environment)) {
      loaded.warn(
          "server.address "
              + RelayDefaults.given(environment, RelayDefaults.ADDRESS).orElse("")
              + " is reachable from other machines, and health and metrics ask for no password:"
              + " set spring.security.user.name and spring.security.user.password");
    }
  }

  /** A whole configuration in one variable, which nobody would have checked. */
  private static void json(LoadedConfig<WaybillProperties> loaded) {
    if (RelayDefaults.given(loaded.environment(), "spring.application.json").isPresent()) {
      loaded.problem("spring.application.json", "has no effect: set each key by its own variable");
    }
  }

  /** Keys of a layout that no outbox has. */
  private static void documented(LoadedConfig<WaybillProperties> loaded) {
    boolean addressed =
        loaded
            .partial()
            .map(properties -> properties.outboxes().values().stream())
            .map(all -> all.anyMatch(each -> each.layout() == LayoutName.NOTIFICATION))
            .orElse(true);
    if (!addressed) {
      Stream.of("poll.interval", "batch.size", "initial.delay")
          .map("notification.outbox."::concat)
          .filter(key -> RelayDefaults.given(loaded.environment(), key).isPresent())
          .forEach(key -> loaded.problem(key, "has no effect: no outbox has layout notification"));
    }
  }

  private static void login(LoadedConfig<WaybillProperties> loaded) {
    loaded.partial().ifPresent(properties -> api(loaded, properties.api()));
    loaded
        .partial()
        .map(WaybillProperties::outboxes)
        .ifPresent(outboxes -> browsers(loaded, outboxes.keySet()));
    Optional<String> password = RelayDefaults.given(loaded.environment(), RelayDefaults.LOGIN);
    if (password.filter(String::isEmpty).isPresent()) {
      loaded.problem(RelayDefaults.LOGIN, "must not be empty");
    }
    if (password.isEmpty() && RelayDefaults.given(loaded.environment(), USER).isPresent()) {
      loaded.problem(USER, "needs spring.security.user.password as well");
    }
  }

  private static void api(LoadedConfig<WaybillProperties> loaded, WaybillProperties.Api api) {
    Environment environment = loaded.environment();
    boolean single = RelayDefaults.hasPassword(environment);
    String users = api.users();
    if (users != null && !api.enabled()) {
      loaded.problem("waybill.api.users", "has no effect without waybill.api.enabled");
    } else if (users != null && single) {
      loaded.problem("waybill.api.users", "goes without spring.security.user.password");
    } else if (users != null) {
      // Commands of others need not read it, and no relay stands still for it.
      UsersFile.problem(Path.of(users))
          .ifPresent(problem -> loaded.warn("waybill.api.users: " + problem));
    } else if (api.enabled() && single && roles(environment).noneMatch(RelayRules::isRole)) {
      loaded.problem(ROLES, "must have one like WAYBILL_VIEWER where waybill.api.enabled is true");
    }
    boolean console =
        RelayDefaults.given(environment, RelayDefaults.CONSOLE)
            .filter("true"::equalsIgnoreCase)
            .isPresent();
    if (console && !api.enabled()) {
      loaded.problem(RelayDefaults.CONSOLE, "has no effect without waybill.api.enabled");
    }
    if (api.enabled() && RelayDefaults.given(environment, RelayDefaults.PORT).equals(NOWHERE)) {
      loaded.problem(RelayDefaults.PORT, "must not be -1 where waybill.api.enabled is true");
    }
  }

  /** Logins of browsers are kept beside one of the outboxes. */
  private static void browsers(LoadedConfig<WaybillProperties> loaded, Set<String> outboxes) {
    Environment environment = loaded.environment();
    if (!RelayDefaults.hasApi(environment)) {
      Stream.of("idle", "lifetime", "outbox")
          .map("waybill.api.login."::concat)
          .filter(key -> RelayDefaults.given(environment, key).isPresent())
          .forEach(key -> loaded.problem(key, "has no effect without waybill.api.enabled"));
    }
    RelayDefaults.given(environment, LOGINS)
        .filter(name -> !outboxes.contains(name))
        .ifPresent(name -> loaded.problem(LOGINS, "must be a name below waybill.outboxes"));
  }

  /** A header that is believed says where guesses of passwords come from. */
  private static void proxies(LoadedConfig<WaybillProperties> loaded) {
    Environment environment = loaded.environment();
    String strategy = RelayDefaults.given(environment, STRATEGY).orElse("none");
    if (strategy.equalsIgnoreCase("framework")) {
      loaded.problem(
          STRATEGY,
          "must be native or none: framework believes every client that calls itself a proxy");
    }
    Stream<String> headers =
        Stream.of("remote-ip-header", "protocol-header")
            .map(REMOTE_IP::concat)
            .filter(key -> RelayDefaults.given(environment, key).isPresent());
    if (RelayDefaults.given(environment, REMOTE_IP + "internal-proxies").isEmpty()) {
      Stream.concat(Stream.of(STRATEGY).filter(key -> isNative(strategy)), headers)
          .forEach(
              key ->
                  loaded.problem(
                      key,
                      "needs server.tomcat.remoteip.internal-proxies, a pattern of the proxies'"
                          + " addresses: without it, all of a private network are believed"));
    }
  }

  private static boolean isNative(String strategy) {
    return strategy.equalsIgnoreCase("native");
  }

  private static Stream<String> roles(Environment environment) {
    return Binder.get(environment)
        .bind(ROLES, Bindable.listOf(String.class))
        .orElse(List.of())
        .stream();
  }

  private static boolean isRole(String name) {
    return Stream.of(Role.values())
        .anyMatch(role -> name.equals(role.role()) || name.startsWith(role.role() + "_"));
  }

  private static void resources(LoadedConfig<WaybillProperties> loaded, Binder binder) {
    RelayDefaults.given(loaded.environment(), "server.ssl.bundle")
        .filter(name -> !hasBundle(binder, name))
        .ifPresent(
            name ->
                loaded.problem(
                    "server.ssl.bundle",
                    "must name one of spring.ssl.bundle.pem or .jks, not " + name));
    RelayDefaults.given(loaded.environment(), "logging.config")
        .filter(file -> !ApplicationResourceLoader.get().getResource(file).isReadable())
        .ifPresent(
            file -> loaded.problem("logging.config", "must be an existing file, not " + file));
  }

  private static boolean hasBundle(Binder binder, String name) {
    Bindable<Map<String, Object>> bundles = Bindable.mapOf(String.class, Object.class);
    return Stream.of("spring.ssl.bundle.pem", "spring.ssl.bundle.jks")
        .anyMatch(kind -> binder.bind(kind, bundles).orElseGet(Map::of).containsKey(name));
  }
}

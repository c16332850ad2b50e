package io.waybill.server.relay;

import io.waybill.internal.text.Loopback;
import io.waybill.server.access.TokenApplication;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/** Rules and defaults for Spring Boot's keys of tokens. */
final class TokenRules {
  static final String ISSUER = TokenApplication.KEYS + ".issuer-uri";

  private static final String ALL = "spring.security.oauth2.resourceserver";
  private static final String OPAQUE = ALL + ".opaquetoken";
  private static final String KEYS = TokenApplication.KEYS + ".jwk-set-uri";
  private static final String PUBLIC_KEY = TokenApplication.KEYS + ".public-key-location";
  private static final String AUDIENCES = TokenApplication.KEYS + ".audiences";
  private static final String SIGNATURES = TokenApplication.KEYS + ".jws-algorithms";
  private static final String CLAIM = TokenApplication.KEYS + ".authorities-claim-";
  // Of public keys alone: an issuer has others for itself.
  private static final String ALGORITHMS = "RS256,RS384,RS512,ES256,ES384,ES512,PS256,PS384,PS512";
  // Where many issuers put them, and where Keycloak does.
  private static final String ROLES = "[roles],[realm_access][roles]";

  private TokenRules() {}

  /** What nobody has given. */
  static Map<String, Object> defaults(Environment environment) {
    Map<String, Object> defaults = new LinkedHashMap<>();
    defaults.put(SIGNATURES, ALGORITHMS);
    defaults.put(TokenApplication.KEYS + ".authority-prefix", "ROLE_");
    if (Stream.of("name", "delimiter", "expressions")
        .flatMap(each -> strings(environment, CLAIM + each))
        .findAny()
        .isEmpty()) {
      defaults.put(CLAIM + "expressions", ROLES);
    }
    return defaults;
  }

  static void check(LoadedConfig<WaybillProperties> loaded) {
    Environment environment = loaded.environment();
    if (!isUnder(environment, ALL)) {
      return;
    }
    if (isUnder(environment, OPAQUE)) {
      loaded.problem(OPAQUE, "has no effect: tokens are those of " + ISSUER);
    }
    if (RelayDefaults.given(environment, PUBLIC_KEY).isPresent()) {
      loaded.problem(PUBLIC_KEY, "has no effect: the issuer tells its keys");
    }
    if (!RelayDefaults.hasApi(environment)) {
      loaded.problem(ALL, "has no effect without waybill.api.enabled");
    } else if (!RelayDefaults.hasIssuer(environment)) {
      loaded.problem(ISSUER, "must be given with other keys of tokens");
    } else if (RelayDefaults.hasPassword(environment)) {
      loaded.problem(
          RelayDefaults.LOGIN, "goes without " + ISSUER + "; waybill.api.users goes with it");
    } else if (strings(environment, AUDIENCES).allMatch(String::isBlank)) {
      loaded.problem(AUDIENCES, "must be given: tokens for other services would do as well");
    }
    Stream.of(ISSUER, KEYS).forEach(key -> address(loaded, key));
    strings(environment, SIGNATURES)
        .filter(name -> SignatureAlgorithm.from(name) == null)
        .forEach(name -> loaded.problem(SIGNATURES, "must be among " + ALGORITHMS, name));
    claims(loaded);
  }

  private static void claims(LoadedConfig<WaybillProperties> loaded) {
    Environment environment = loaded.environment();
    List<String> expressions = strings(environment, CLAIM + "expressions").toList();
    if (!expressions.isEmpty()) {
      Stream.of(CLAIM + "name", CLAIM + "delimiter")
          .filter(key -> RelayDefaults.given(environment, key).isPresent())
          .forEach(key -> loaded.problem(key, "goes without " + CLAIM + "expressions"));
    }
    expressions.forEach(
        text -> {
          try {
            new SpelExpressionParser().parseExpression(text);
          } catch (ParseException | IllegalArgumentException e) {
            loaded.problem(CLAIM + "expressions", "must be expressions like [roles]", text);
          }
        });
  }

  private static void address(LoadedConfig<WaybillProperties> loaded, String key) {
    Optional<String> text = RelayDefaults.given(loaded.environment(), key);
    Optional<URI> address = text.flatMap(TokenRules::uri);
    if (text.isPresent() && address.isEmpty()) {
      loaded.problem(key, "must be an address of http or https", text.get());
    }
    address
        .filter(uri -> uri.getScheme().equals("http") && !Loopback.isHost(uri.getHost()))
        .ifPresent(
            uri ->
                loaded.warn(
                    key
                        + ": keys come in clear text, and can be replaced on their way: use https"));
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(URI.create(text))
          .filter(
              uri -> uri.getHost() != null && List.of("http", "https").contains(uri.getScheme()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isUnder(Environment environment, String prefix) {
    return Binder.get(environment)
        .bind(prefix, Bindable.mapOf(String.class, Object.class))
        .isBound();
  }

  private static Stream<String> strings(Environment environment, String key) {
    return Binder.get(environment)
        .bind(key, Bindable.listOf(String.class))
        .orElse(List.of())
        .stream();
  }
}

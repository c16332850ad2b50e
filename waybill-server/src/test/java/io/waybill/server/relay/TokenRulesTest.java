package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.config.Setting;
import io.waybill.spring.properties.WaybillProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, warned of and usual of the keys for tokens. */
class TokenRulesTest {
  private static final String API = "waybill.api.enabled: true\n";
  private static final String KEYS = "spring.security.oauth2.resourceserver.jwt";

  @TempDir private Path folder;

  private LoadedConfig<WaybillProperties> loaded(String lines) {
    return Loaded.of(folder, Loaded.AWAY + lines, Map.of("P", "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{jwt: {audiences: waybill}} | jwt.issuer-uri must be given with other keys of tokens",
        "{jwt: {issuer-uri: 'https://i'}} | jwt.audiences must be given: tokens for other services",
        "{jwt: {issuer-uri: 'https://i', audiences: ''}} | jwt.audiences must be given",
        "{jwt: {issuer-uri: realm, audiences: a}} | must be an address of http or https, but is 'realm'",
        "{jwt: {issuer-uri: 'ftp://i', audiences: a}} | must be an address of http or https",
        "{jwt: {issuer-uri: 'https://i', audiences: a, jwk-set-uri: 'file:/k'}} | jwt.jwk-set-uri must be",
        "{jwt: {issuer-uri: 'https://i', audiences: a, public-key-location: 'file:k'}} | has no effect: the issuer",
        "{jwt: {issuer-uri: 'https://i', audiences: a, jws-algorithms: HS256}} | must be among RS256,",
        "{jwt: {authorities-claim-expressions: '[r'}} | expressions like [roles], but is '[r'",
        "{jwt: {authorities-claim-name: r, authorities-claim-expressions: '[r]'}} | goes without",
        "{opaquetoken: {introspection-uri: 'https://i'}} | opaquetoken has no effect",
        "{jwt: {issuer: 'https://i'}} | jwt.issuer is not a known key"
      })
  void isRefused(String keys, String rule) {
    assertThat(loaded(API + "spring.security.oauth2.resourceserver: " + keys + "\n").problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @Test
  void tokensAreForTheApiAndGoWithoutTheSingleUser() {
    String tokens = KEYS + ": {issuer-uri: 'https://i', audiences: a}\n";
    assertThat(loaded(tokens).problems())
        .singleElement()
        .asString()
        .contains("has no effect without waybill.api.enabled");

    String user = "spring.security.user: {name: a, password: '${P}', roles: WAYBILL_VIEWER}\n";
    assertThat(loaded(API + tokens + user).problems())
        .singleElement()
        .asString()
        .contains("spring.security.user.password goes without", "waybill.api.users goes with it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "registration.a: {client-secret: '${P}'} | client.registration.a must have client-id",
        "registration.a: {client-id: c} | client.registration.a must have client-secret",
        "registration: {a: {client-id: c, client-secret: '${P}'}, b: {client-id: c, client-secret: '${P}'}} | must have one client",
        "{registration.a: {client-id: c, client-secret: '${P}'}, provider.a.issuer-uri: 'https://o'} | must be that of",
        "registration.a: {client-idd: c} | is not a known key"
      })
  void aClientIsRefused(String keys, String rule) {
    String tokens = API + KEYS + ": {issuer-uri: 'https://i', audiences: a}\n";
    String lines =
        keys.startsWith("{")
            ? "spring.security.oauth2.client: " + keys
            : "spring.security.oauth2.client." + keys;
    assertThat(loaded(tokens + lines + "\n").problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @Test
  void aClientGoesWithTheIssuerOfTokens() {
    String client =
        "spring.security.oauth2.client.registration.a: {client-id: c, client-secret: '${P}'}\n";
    assertThat(loaded(client).problems())
        .singleElement()
        .asString()
        .contains("has no effect without waybill.api.enabled");
    assertThat(loaded(API + client).problems())
        .singleElement()
        .asString()
        .contains("needs " + KEYS + ".issuer-uri");
    String tokens = KEYS + ": {issuer-uri: 'https://i', audiences: a}\n";
    assertThat(loaded(API + tokens + client).problems()).isEmpty();
  }

  @Test
  void keysInClearTextAreWarnedOf() {
    String tokens = API + KEYS + ": {issuer-uri: '%s', audiences: a}\n";
    assertThat(loaded(tokens.formatted("http://sso.example.com/realm")).warnings())
        .singleElement()
        .asString()
        .contains("jwt.issuer-uri: keys come in clear text");
    assertThat(loaded(tokens.formatted("http://localhost:8080/realm")).warnings()).isEmpty();
    assertThat(loaded(tokens.formatted("https://sso.example.com/realm")).warnings()).isEmpty();
  }

  @Test
  void whereRolesAreIsUsualUnlessAClaimIsGiven() {
    String tokens = API + KEYS + ": {issuer-uri: 'https://i', audiences: a%s}\n";
    assertThat(printed(tokens.formatted("")))
        .contains(
            KEYS + ".authorities-claim-expressions=[roles],[realm_access][roles]",
            KEYS + ".authority-prefix=ROLE_");
    assertThat(printed(tokens.formatted(", authorities-claim-name: groups")))
        .contains(KEYS + ".authorities-claim-name=groups")
        .noneMatch(each -> each.contains("expressions"));
    assertThat(printed("")).noneMatch(each -> each.contains("oauth2"));
  }

  private List<String> printed(String lines) {
    LoadedConfig<WaybillProperties> loaded = loaded(lines);
    assertThat(loaded.problems()).isEmpty();
    return RelayProcess.settings(loaded).stream()
        .map((Setting each) -> each.key() + "=" + each.value())
        .toList();
  }
}

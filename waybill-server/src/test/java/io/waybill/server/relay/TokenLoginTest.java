package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.waybill.proof.server.FreePort;
import io.waybill.server.access.Passwords;
import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an OpenID Connect issuer at the API, and users of a file beside them. */
@Tag("long")
class TokenLoginTest {
  private static final String OUTBOXES = "/api/v1/outboxes";
  private static final String ORDERS = OUTBOXES + "/orders/relays";

  @TempDir private static Path folder;
  private static TestIssuer issuer;
  private static ServedApi api;

  @BeforeAll
  static void start() throws Exception {
    issuer = TestIssuer.start();
    Path users = folder.resolve("users");
    Files.writeString(users, "grafana:viewer:" + Passwords.hashOfToken("secret") + "\n");
    Map<String, String> settings = new HashMap<>(ServedApi.issuer(issuer.name()));
    settings.put("WAYBILL_API_USERS", users.toString());
    api = ServedApi.start(folder, settings);
  }

  @AfterAll
  static void stop() {
    api.close();
    issuer.close();
  }

  /** The database is away, so who may ask is told 503. */
  @Test
  void rolesOfTheTokenSayWhatItsUserMay() throws Exception {
    String viewer = issuer.token("alice", "WAYBILL_VIEWER", "offline_access");
    assertThat(api.bearer(viewer, OUTBOXES).body()).isEqualTo("{\"items\":[\"orders\"]}");
    assertThat(api.bearer(viewer, ORDERS).statusCode()).isEqualTo(503);
    assertThat(api.bearer(viewer, "/metrics").statusCode()).isEqualTo(200);

    String here = issuer.token("alice", "WAYBILL_OPERATOR_orders");
    assertThat(api.bearer(here, ORDERS).statusCode()).isEqualTo(503);
    assertThat(api.bearer(here, "/metrics").statusCode()).isEqualTo(403);

    for (String role :
        List.of("WAYBILL_VIEWER_bills", "viewer", "ROLE_WAYBILL_VIEWER", "SCOPE_x")) {
      String token = issuer.token("alice", role);
      assertThat(api.bearer(token, OUTBOXES).body()).as(role).isEqualTo("{\"items\":[]}");
      assertThat(api.bearer(token, ORDERS).statusCode()).as(role).isEqualTo(403);
      assertThat(api.bearer(token, "/metrics").statusCode()).as(role).isEqualTo(403);
    }
  }

  @Test
  void rolesMayBeWhereKeycloakPutsThem() throws Exception {
    String token =
        issuer.token(
            claims -> claims.claim("realm_access", Map.of("roles", List.of("WAYBILL_VIEWER"))));

    assertThat(api.bearer(token, ORDERS).statusCode()).isEqualTo(503);
  }

  @Test
  void rolesMayBeInAnyClaim() throws Exception {
    Map<String, String> settings = new HashMap<>(ServedApi.issuer(issuer.name()));
    settings.put(
        "SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUTHORITIESCLAIMEXPRESSIONS",
        "[resource_access]['my-client.a'][roles]");
    try (ServedApi other = ServedApi.start(folder, settings)) {
      String token =
          issuer.token(
              claims ->
                  claims
                      .claim("roles", List.of("WAYBILL_ADMINISTRATOR"))
                      .claim(
                          "resource_access",
                          Map.of(
                              "my-client.a", Map.of("roles", List.of("WAYBILL_VIEWER_orders")))));

      assertThat(other.bearer(token, ORDERS).statusCode()).isEqualTo(503);
      assertThat(other.bearer(token, "/metrics").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void whatIsWrongWithATokenIsSaidWithoutItsContents() throws Exception {
    JWK stranger = TestIssuer.key("first");
    String right = issuer.token("alice", "WAYBILL_ADMINISTRATOR");
    String[] parts = right.split("\\.", -1);
    String other = issuer.token("mallory", "WAYBILL_ADMINISTRATOR").split("\\.", -1)[1];
    Date past = Date.from(Instant.now().minusSeconds(120));
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put("tampered", parts[0] + "." + other + "." + parts[2]);
    wrong.put("without a signature", parts[0] + "." + parts[1] + ".");
    wrong.put("no token", "x");
    wrong.put("no base64", "@.@.@");
    wrong.put("deep", Base64URL.encode("{\"a\":" + "[".repeat(7_000)) + "." + parts[1] + ".x");
    wrong.put("expired", issuer.token(claims -> claims.expirationTime(past)));
    wrong.put("endless", issuer.token(claims -> claims.expirationTime(null)));
    wrong.put(
        "not yet",
        issuer.token(claims -> claims.notBeforeTime(Date.from(Instant.now().plusSeconds(120)))));
    wrong.put("for others", issuer.token(claims -> claims.audience("account")));
    wrong.put("for nobody", issuer.token(claims -> claims.audience((String) null)));
    wrong.put("of another issuer", issuer.token(claims -> claims.issuer("http://127.0.0.1/realm")));
    wrong.put("of nobody", issuer.token(claims -> claims.subject(null)));
    wrong.put("with other roles", issuer.token(claims -> claims.claim("roles", List.of(1, 2))));
    wrong.put("of a stranger", signed(stranger, JWSAlgorithm.RS256, JOSEObjectType.JWT));
    wrong.put(
        "of a shared secret",
        signed(
            new OctetSequenceKey.Builder(stranger.toRSAKey().toPublicKey().getEncoded())
                .keyID("first")
                .build(),
            JWSAlgorithm.HS256,
            JOSEObjectType.JWT));
    wrong.put("unsigned", new PlainJWT(claims()).serialize());
    wrong.put(
        "of a logout",
        issuer.token(
            issuer.key(), JWSAlgorithm.RS256, new JOSEObjectType("logout+jwt"), claims -> {}));
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      HttpResponse<String> answer = api.bearer(each.getValue(), OUTBOXES);
      assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(401);
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/problem+json");
      assertThat(answer.headers().allValues("WWW-Authenticate"))
          .as(each.getKey())
          .singleElement()
          .asString()
          .startsWith("Bearer realm=\"Waybill\", error=\"invalid_token\", error_description=\"")
          .doesNotContain("mallory", "alice", "account");
      assertThat(answer.body())
          .doesNotContain("mallory", "alice", "account", each.getValue() + ".");
    }
    assertThat(api.bearer(wrong.get("expired"), OUTBOXES).body()).contains("expired at");
    assertThat(api.bearer(wrong.get("for others"), OUTBOXES).body()).contains("aud claim");
    assertThat(api.bearer(wrong.get("tampered"), OUTBOXES).body()).contains("signature is wrong");
    assertThat(api.bearer(right, OUTBOXES).statusCode()).isEqualTo(200);
  }

  private static String signed(JWK key, JWSAlgorithm algorithm, JOSEObjectType type)
      throws Exception {
    return issuer.token(key, algorithm, type, claims -> {});
  }

  private static JWTClaimsSet claims() {
    return new JWTClaimsSet.Builder()
        .issuer(issuer.name())
        .subject("user-1")
        .audience(TestIssuer.AUDIENCE)
        .expirationTime(Date.from(Instant.now().plusSeconds(300)))
        .build();
  }

  @Test
  void usersOfAFileAndTokensGoTogether() throws Exception {
    assertThat(api.get(ServedApi.basic("grafana", "secret"), "/metrics").statusCode())
        .isEqualTo(200);
    HttpResponse<String> stranger = api.get(null, OUTBOXES);
    assertThat(stranger.statusCode()).isEqualTo(401);
    assertThat(stranger.headers().allValues("WWW-Authenticate"))
        .containsExactly("Bearer realm=\"Waybill\"", "Basic realm=\"Waybill\"");
    assertThat(api.get(ServedApi.basic("grafana", "wrong"), OUTBOXES).statusCode()).isEqualTo(401);
    assertThat(api.get(null, "/livez").statusCode()).isEqualTo(200);
    assertThat(api.get(null, "/.well-known/oauth-protected-resource").statusCode()).isEqualTo(401);
    String token = issuer.token("alice", "WAYBILL_VIEWER");
    assertThat(api.get(null, OUTBOXES + "?access_token=" + token).statusCode()).isEqualTo(401);
  }

  @Test
  void withoutAFileThereAreNoPasswords() throws Exception {
    try (ServedApi other = ServedApi.start(folder, ServedApi.issuer(issuer.name()))) {
      HttpResponse<String> answer = other.get(ServedApi.basic("first", "x"), OUTBOXES);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.headers().allValues("WWW-Authenticate"))
          .containsExactly("Bearer realm=\"Waybill\"");
      assertThat(other.bearer(issuer.token("a", "WAYBILL_VIEWER"), OUTBOXES).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void anIssuerThatIsAwayIsWaitedForByNobody() throws Exception {
    int port = FreePort.find();
    try (ServedApi other = ServedApi.start(folder, ServedApi.issuer(TestIssuer.name(port)))) {
      HttpResponse<String> answer = other.bearer("x.y.z", OUTBOXES);
      assertThat(answer.statusCode()).as("no token at all").isEqualTo(401);
      answer = other.bearer(issuer.token("a", "WAYBILL_VIEWER"), OUTBOXES);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).contains("10");
      assertThat(answer.body()).contains("Issuer unavailable");

      try (TestIssuer late = TestIssuer.start(port)) {
        String token = late.token("a", "WAYBILL_VIEWER");
        await()
            .atMost(Patience.of(Duration.ofSeconds(30)))
            .until(() -> other.bearer(token, OUTBOXES).statusCode() == 200);
      }
      assertThat(other.get(null, "/livez").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void keysThatAreKnownOutliveTheirIssuer() throws Exception {
    TestIssuer mortal = TestIssuer.start();
    try (ServedApi other = ServedApi.start(folder, ServedApi.issuer(mortal.name()))) {
      String token = mortal.token("a", "WAYBILL_VIEWER");
      assertThat(other.bearer(token, OUTBOXES).statusCode()).isEqualTo(200);
      mortal.close();
      assertThat(other.bearer(token, OUTBOXES).statusCode()).isEqualTo(200);
    } finally {
      mortal.close();
    }
  }

  @Test
  void aNewKeyIsFoundAndForgedOnesAskTheIssuerSeldom() throws Exception {
    try (TestIssuer rotating = TestIssuer.start();
        ServedApi other = ServedApi.start(folder, ServedApi.issuer(rotating.name()))) {
      String first = rotating.token("a", "WAYBILL_VIEWER");
      assertThat(other.bearer(first, OUTBOXES).statusCode()).isEqualTo(200);
      rotating.rotate(new ECKeyGenerator(Curve.P_256).keyID("second").generate());
      String second =
          rotating.token(
              rotating.key(), JWSAlgorithm.ES256, new JOSEObjectType("at+jwt"), claims -> {});
      assertThat(other.bearer(second, OUTBOXES).statusCode()).isEqualTo(200);

      int before = rotating.questions();
      for (int i = 0; i < 20; i++) {
        JWK forged = new ECKeyGenerator(Curve.P_256).keyID("forged-" + i).generate();
        String token = rotating.token(forged, JWSAlgorithm.ES256, JOSEObjectType.JWT, claims -> {});
        assertThat(other.bearer(token, OUTBOXES).statusCode()).isIn(401, 503);
      }
      assertThat(rotating.questions() - before).isLessThan(10);
      assertThat(other.bearer(second, OUTBOXES).statusCode()).isEqualTo(200);
    }
  }

  /** A probe that has to wait would end the process. */
  @Test
  void anIssuerThatHangsKeepsNoThreads() throws Exception {
    try (TestIssuer slow = TestIssuer.start();
        ServedApi other = ServedApi.start(folder, ServedApi.issuer(slow.name()))) {
      CountDownLatch go = slow.hang();
      String token = "Bearer " + slow.token("a", "WAYBILL_VIEWER");
      List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        asked.add(other.ask(token, OUTBOXES, Map.of()));
      }
      long began = System.nanoTime();
      assertThat(other.get(null, "/livez").statusCode()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isLessThan(Patience.of(Duration.ofSeconds(8)));
      assertThat(asked).allMatch(each -> each.join().statusCode() == 503);
      go.countDown();
    }
  }
}

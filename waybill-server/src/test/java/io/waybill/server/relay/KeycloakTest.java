package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.waybill.proof.server.KeycloakServer;
import io.waybill.testkit.Patience;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a real Keycloak, which starts after the API. */
@Tag("server")
@Tag("long")
class KeycloakTest {
  private static final String OUTBOXES = "/api/v1/outboxes";
  private static final String ORDERS = OUTBOXES + "/orders/relays";

  @TempDir private static Path folder;
  private static KeycloakServer keycloak;
  private static ServedApi api;
  private static int beforeItStarted;

  @BeforeAll
  static void start() throws Exception {
    try (InputStream realm = KeycloakTest.class.getResourceAsStream("/keycloak/shop.json")) {
      String text = new String(Objects.requireNonNull(realm).readAllBytes(), UTF_8);
      keycloak = KeycloakServer.unpack("shop", text);
    }
    api = ServedApi.start(folder, ServedApi.issuer(keycloak.issuer()));
    try (TestIssuer another = TestIssuer.start()) {
      beforeItStarted = api.bearer(another.token("a", "WAYBILL_VIEWER"), OUTBOXES).statusCode();
    }
    keycloak.start();
    String token = token("console", "viewer");
    await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .until(() -> api.bearer(token, OUTBOXES).statusCode() == 200);
  }

  @AfterAll
  static void stop() {
    if (api != null) {
      api.close();
    }
    if (keycloak != null) {
      keycloak.close();
    }
  }

  private static String token(String client, String user) throws Exception {
    String form =
        "client_id=%s&username=%s&password=secret&grant_type=password".formatted(client, user);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(keycloak.issuer() + "/protocol/openid-connect/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSONObjectUtils.getString(JSONObjectUtils.parse(answer.body()), "access_token");
  }

  /** The database is away, so who may ask about an outbox is told 503. */
  @Test
  void rolesOfTheRealmAreThoseOfTheApi() throws Exception {
    TreeMap<String, List<Object>> found = new TreeMap<>();
    for (String user :
        List.of("viewer", "operator", "administrator", "here", "elsewhere", "nobody")) {
      String token = token("console", user);
      found.put(
          user,
          List.of(
              api.bearer(token, OUTBOXES).body(),
              api.bearer(token, ORDERS).statusCode(),
              api.bearer(token, "/metrics").statusCode()));
    }
    List<Object> everywhere = List.of("{\"items\":[\"orders\"]}", 503, 200);
    List<Object> nowhere = List.of("{\"items\":[]}", 403, 403);
    assertThat(found)
        .containsEntry("viewer", everywhere)
        .containsEntry("operator", everywhere)
        .containsEntry("administrator", everywhere)
        .containsEntry("here", List.of("{\"items\":[\"orders\"]}", 503, 403))
        .containsEntry("elsewhere", nowhere)
        .containsEntry("nobody", nowhere);
  }

  @Test
  void theApiStartsBeforeItsIssuer() {
    assertThat(beforeItStarted).isEqualTo(503);
  }

  /** A minute after its end: clocks may differ by as much. */
  @Test
  void aTokenEnds() throws Exception {
    String token = token("brief", "viewer");
    assertThat(api.bearer(token, OUTBOXES).statusCode()).isEqualTo(200);
    await()
        .atMost(Patience.of(Duration.ofSeconds(90)))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> api.bearer(token, OUTBOXES).statusCode() == 401);
    assertThat(api.bearer(token, OUTBOXES).body()).contains("expired at");
  }

  @Test
  void anotherPayloadIsRefused() throws Exception {
    String[] viewer = token("console", "viewer").split("\\.", -1);
    String[] administrator = token("console", "administrator").split("\\.", -1);
    String forged = viewer[0] + "." + administrator[1] + "." + viewer[2];

    HttpResponse<String> answer = api.bearer(forged, OUTBOXES);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate").orElse(""))
        .contains("error=\"invalid_token\"", "signature is wrong");
  }

  @Test
  void aTokenForOthersIsRefused() throws Exception {
    HttpResponse<String> answer = api.bearer(token("other", "administrator"), OUTBOXES);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("The aud claim is not valid");
  }
}

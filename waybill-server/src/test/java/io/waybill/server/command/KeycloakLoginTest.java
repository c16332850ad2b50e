package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.KeycloakServer;
import io.waybill.server.relay.TestIssuer;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logins of browsers at a real Keycloak, whose form is filled in: the flow with a code. */
@Tag("server")
@Tag("long")
class KeycloakLoginTest extends BrowsersAtTheApi {
  private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");
  private static final String CALLBACK = "/login/oauth2/code/sso?";
  private static KeycloakServer keycloak;

  @BeforeAll
  static void startKeycloak() throws Exception {
    try (InputStream realm = KeycloakLoginTest.class.getResourceAsStream("/keycloak/shop.json")) {
      String text = new String(Objects.requireNonNull(realm).readAllBytes(), UTF_8);
      keycloak = KeycloakServer.unpack("shop", text);
    }
    keycloak.start();
  }

  @AfterAll
  static void stopKeycloak() {
    if (keycloak != null) {
      keycloak.close();
    }
  }

  private ApiServer api() {
    String keys = "SPRING_SECURITY_OAUTH2_";
    return ApiServer.start(
        config(),
        users,
        Map.of(
            keys + "RESOURCESERVER_JWT_ISSUERURI",
            keycloak.issuer(),
            keys + "RESOURCESERVER_JWT_AUDIENCES",
            TestIssuer.AUDIENCE,
            keys + "CLIENT_REGISTRATION_SSO_CLIENTID",
            "browsers",
            keys + "CLIENT_REGISTRATION_SSO_CLIENTSECRET",
            "secret-of-the-api"));
  }

  /** What Keycloak says to a name and a password; it led the browser to its form before. */
  private HttpResponse<String> atKeycloak(String user, String password) throws Exception {
    String where = header(browser.page("/oauth2/authorization/sso?to=/console/x"), "Location");
    assertThat(where).startsWith(keycloak.issuer() + "/").contains("nonce=", "code_challenge=");
    Browser there = new Browser("");
    HttpResponse<String> page = there.page(where);
    Matcher form = FORM.matcher(page.body());
    assertThat(form.find()).as(page.body()).isTrue();
    return there.form(
        form.group(1).replace("&amp;", "&"), Map.of("username", user, "password", password));
  }

  /** Back to where Keycloak leads, with its code. */
  private HttpResponse<String> login(String user) throws Exception {
    URI back = URI.create(header(atKeycloak(user, "secret"), "Location"));
    assertThat(back.getRawQuery()).contains("code=", "state=");
    return browser.page(CALLBACK + back.getRawQuery());
  }

  @Test
  void rolesOfTheRealmHoldUntilTheBrowserLogsOut() throws Exception {
    try (ApiServer api = api()) {
      browser = new Browser(api.url());
      HttpResponse<String> answer = login("operator");
      assertThat(answer.statusCode()).isEqualTo(303);
      assertThat(header(answer, "Location")).isEqualTo("../../../console/x");
      assertThat(browser.cookies()).containsOnlyKeys("waybill-login");
      assertThat(browser.fetch("/login/user").body())
          .contains("\"operator\"", "ROLE_WAYBILL_OPERATOR")
          .doesNotContain("default-roles");
      assertThat(browser.change(PAUSE, BODY, "").statusCode()).isEqualTo(403);
      assertThat(browser.change(PAUSE, BODY, token()).statusCode()).isEqualTo(200);
      assertThat(text("select changed_by from waybill_destination")).isEqualTo("operator");
      assertThat(browser.logout().statusCode()).isEqualTo(303);
      assertThat(browser.fetch(API).statusCode()).isEqualTo(401);

      login("viewer");
      assertThat(browser.fetch(API).body()).isEqualTo("{\"items\":[\"orders\"]}");
      assertThat(browser.change(PAUSE, BODY, token()).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void aUserWithoutARoleSeesNothing() throws Exception {
    try (ApiServer api = api()) {
      browser = new Browser(api.url());
      login("nobody");
      assertThat(browser.fetch(API).body()).isEqualTo("{\"items\":[]}");
      assertThat(browser.fetch(API + "/orders/relays").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void neitherAWrongPasswordNorACodeOfAnotherBrowserLogsIn() throws Exception {
    try (ApiServer api = api()) {
      browser = new Browser(api.url());
      assertThat(header(atKeycloak("operator", "wrong"), "Location")).isEmpty();
      String back = header(atKeycloak("operator", "secret"), "Location");
      Browser other = new Browser(api.url());
      HttpResponse<String> refused = other.page(CALLBACK + URI.create(back).getRawQuery());
      assertThat(header(refused, "Location")).isEqualTo("../../../login?failed");
      assertThat(other.fetch(API).statusCode()).isEqualTo(401);
      assertThat(count("waybill_login")).isZero();
    }
  }
}

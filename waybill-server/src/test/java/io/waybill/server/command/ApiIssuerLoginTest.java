package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.relay.TestIssuer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logins of browsers at an issuer, at two instances of the API on one database. */
@Tag("long")
class ApiIssuerLoginTest extends BrowsersAtTheApi {
  private static final String BEGIN = "/oauth2/authorization/sso";
  private TestIssuer issuer;
  private ApiServer one;
  private ApiServer other;

  @BeforeEach
  void issue() throws Exception {
    issuer = TestIssuer.start();
    one = ApiServer.start(config(), users, settings());
    other = ApiServer.start(config(), users, settings());
    browser = new Browser(one.url());
  }

  @AfterEach
  void end() {
    one.close();
    other.close();
    issuer.close();
  }

  private Map<String, String> settings() {
    String[] client = TestIssuer.CLIENT.split(":", 2);
    Map<String, String> settings = new HashMap<>();
    settings.put("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI", issuer.name());
    settings.put("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES", TestIssuer.AUDIENCE);
    settings.put("SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_SSO_CLIENTID", client[0]);
    settings.put("SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_SSO_CLIENTSECRET", client[1]);
    return settings;
  }

  /** Goes to the issuer, and comes back to an instance. */
  private HttpResponse<String> login(ApiServer back, String to, String... roles) throws Exception {
    HttpResponse<String> led = browser.page(BEGIN + "?to=" + to);
    assertThat(led.statusCode()).isEqualTo(302);
    String where = header(led, "Location");
    assertThat(where).startsWith(issuer.name() + "/authorize?").contains("nonce", "code_challenge");
    String back1 = issuer.allow(where, "carol", roles);
    return browser.at(back.url()).page("/login/oauth2/code/sso" + back1);
  }

  @Test
  void aLoginAtTheIssuerHoldsAtAllInstances() throws Exception {
    assertThat(browser.page("/login?to=/console/x").body())
        .contains("href=\"oauth2/authorization/sso?to=%2Fconsole%2Fx\"", "Log in with", "<form");
    HttpResponse<String> answer = login(one, "/console/x", "WAYBILL_OPERATOR", "offline_access");
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(header(answer, "Location")).isEqualTo("../../../console/x");
    assertThat(browser.cookies()).containsOnlyKeys("waybill-login");

    assertThat(browser.at(other.url()).fetch(API).statusCode()).isEqualTo(200);
    assertThat(browser.fetch("/login/user").body())
        .contains("\"carol\"", "ROLE_WAYBILL_OPERATOR")
        .doesNotContain("offline_access");
    assertThat(browser.change(PAUSE, BODY, "").statusCode()).isEqualTo(403);
    assertThat(browser.change(PAUSE, BODY, token()).statusCode()).isEqualTo(200);
    assertThat(text("select changed_by from waybill_destination")).isEqualTo("carol");

    sql("update waybill_login set roles = 'ROLE_WAYBILL_ADMINISTRATOR'");
    assertThat(browser.fetch(API).statusCode()).as("of somebody's making").isEqualTo(401);
  }

  @Test
  void whoComesBackToAnotherInstanceIsLoggedInAndOutEverywhere() throws Exception {
    browser = new Browser(one.url());
    String where = header(browser.page(BEGIN), "Location");
    // The issuer leads to where the login began, which a balancer gives to either instance.
    String query = issuer.allow(where, "carol", "WAYBILL_VIEWER");
    HttpResponse<String> answer = browser.at(other.url()).page("/login/oauth2/code/sso" + query);
    assertThat(header(answer, "Location")).isEqualTo("../../../login");
    assertThat(browser.at(one.url()).fetch(API).statusCode()).isEqualTo(200);
    assertThat(browser.logout().statusCode()).isEqualTo(303);
    assertThat(browser.at(other.url()).fetch(API).statusCode()).isEqualTo(401);
  }

  @Test
  void aCodeIsForTheBrowserThatAskedForIt() throws Exception {
    String where = header(browser.page(BEGIN), "Location");
    String query = issuer.allow(where, "carol", "WAYBILL_VIEWER");
    Browser victim = new Browser(one.url());
    HttpResponse<String> refused = victim.page("/login/oauth2/code/sso" + query);
    assertThat(header(refused, "Location")).isEqualTo("../../../login?failed");
    assertThat(victim.fetch(API).statusCode()).isEqualTo(401);
    victim.page(BEGIN);
    victim.page("/login/oauth2/code/sso" + query);
    assertThat(victim.fetch(API).statusCode()).as("of another request").isEqualTo(401);
    assertThat(victim.page("/login?failed").body()).contains("The log of the server says why.");
    assertThat(count("waybill_login")).isZero();
  }

  @Test
  void aLoginLeadsBackToThisSiteAlone() throws Exception {
    HttpResponse<String> answer = login(one, "//evil.example", "WAYBILL_VIEWER");
    assertThat(header(answer, "Location")).isEqualTo("../../../login");
  }

  @Test
  void usersOfTheFileLogInToo() throws Exception {
    assertThat(browser.login("bob").statusCode()).isEqualTo(303);
    assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
  }

  @Test
  void whereALoginComesBackIsTheAddressThatTheBrowserSees() throws Exception {
    Map<String, String> settings = settings();
    settings.put("SERVER_SERVLET_CONTEXTPATH", "/waybill");
    settings.put("SERVER_FORWARDHEADERSSTRATEGY", "native");
    settings.put("SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "127\\.0\\.0\\.1");
    try (ApiServer proxied = ApiServer.start(config(), users, settings)) {
      Browser far =
          new Browser(proxied.url() + "/waybill")
              .header("X-Forwarded-Proto", "https")
              .header("X-Forwarded-Host", "shop.example.com")
              .header("X-Forwarded-Port", "443");
      String where = header(far.page(BEGIN), "Location");
      assertThat(URI.create(where).getQuery())
          .contains("redirect_uri=https://shop.example.com/waybill/login/oauth2/code/sso");
      assertThat(far.cookies()).containsOnlyKeys("__Host-waybill-start");
      far.page("/login/oauth2/code/sso" + issuer.allow(where, "carol", "WAYBILL_VIEWER"));
      assertThat(far.fetch(API).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anIssuerThatIsAwayStopsNobodyElse() throws Exception {
    issuer.close();
    try (ApiServer alone = ApiServer.start(config(), users, settings())) {
      browser.at(alone.url());
      assertThat(header(browser.page(BEGIN), "Location")).isEqualTo("../../login?failed");
      assertThat(browser.login("bob").statusCode()).isEqualTo(303);
      assertThat(alone.get("alice", "/outboxes").statusCode()).isEqualTo(200);
    }
  }
}

package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What other sites, other logins and proxies have to do with the login of a browser. */
@Tag("long")
class ApiLoginSitesTest extends BrowsersAtTheApi {
  @Test
  void theCookieOfBeforeTheLoginIsWorthNothingAfterIt() throws Exception {
    browser.page("/login");
    String planted = browser.cookies().get("waybill-login");
    browser.login("alice");
    assertThat(browser.cookies().get("waybill-login")).isNotEqualTo(planted);
    Browser other = new Browser(first.url());
    other.cookies().put("waybill-login", planted);
    assertThat(other.fetch(API).statusCode()).isEqualTo(401);
    // A second login ends the first.
    String old = browser.cookies().get("waybill-login");
    String form = token();
    browser.form(
        "/login", Map.of("user", "bob", "password", ApiServer.password("bob"), "_csrf", form));
    other.cookies().put("waybill-login", old);
    assertThat(other.fetch(API).statusCode()).isEqualTo(401);
    assertThat(count("waybill_login")).isOne();
  }

  @Test
  void aChangeByACookieNeedsTheTokenOfItsLogin() throws Exception {
    browser.login("alice");
    HttpResponse<String> refused = browser.change(PAUSE, BODY, "");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(header(refused, "Content-Type")).startsWith("application/problem+json");
    assertThat(refused.body()).contains("X-CSRF-TOKEN");
    Browser other = new Browser(first.url());
    other.login("bob");
    String stolen = ApiServer.json(other.fetch("/login/user")).get("csrfToken").asString();
    assertThat(browser.change(PAUSE, BODY, stolen).statusCode()).isEqualTo(403);
    assertThat(count("waybill_destination where paused")).isZero();

    String token = token();
    assertThat(browser.at(second.url()).change(PAUSE, BODY, token).statusCode()).isEqualTo(200);
    assertThat(text("select changed_by from waybill_destination")).isEqualTo("alice");
    browser.header("Sec-Fetch-Site", "cross-site");
    assertThat(browser.change(PAUSE, BODY, token).statusCode()).isEqualTo(403);
    assertThat(browser.form("/logout", Map.of()).statusCode()).isEqualTo(403);
    assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Those who show a login with each request need no token, whatever cookie they have. */
  @Test
  void otherLoginsAreAsBefore() throws Exception {
    assertThat(
            first
                .post(
                    "alice",
                    "/outboxes/orders/destination/pause",
                    Map.of("destination", "audit", "reason", "r"))
                .statusCode())
        .isEqualTo(200);
    HttpResponse<String> stranger = first.get(null, "/outboxes");
    assertThat(stranger.statusCode()).isEqualTo(401);
    assertThat(header(stranger, "WWW-Authenticate")).isEqualTo("Basic realm=\"Waybill\"");
    assertThat(header(first.get("alice", "/outboxes"), "Set-Cookie")).isEmpty();
    browser.login("alice");
    String password = ApiServer.password("alice");
    browser.header("Authorization", "Basic " + encoded("alice:" + password));
    assertThat(browser.change(PAUSE, BODY, "").statusCode()).as("without a token").isEqualTo(200);
    browser.header("Authorization", "Basic " + encoded("nobody:nobody"));
    assertThat(browser.fetch(API).statusCode()).as("the cookie does not count").isEqualTo(401);
    assertThat(browser.page("/login").statusCode()).isEqualTo(401);
  }

  /** An answer to a page's script makes no browser ask for a password by itself. */
  @Test
  void whoLooksAtAPageIsLedToTheLoginAndBackAndScriptsAreNot() throws Exception {
    HttpResponse<String> led = browser.page("/console/jobs/7?state=dead%20now&x=1");
    assertThat(led.statusCode()).isEqualTo(302);
    assertThat(header(led, "Location"))
        .isEqualTo("../../login?to=%2Fconsole%2Fjobs%2F7%3Fstate%3Ddead%2520now%26x%3D1");
    String page = "/console/jobs/7?state=dead%20now&x=1";
    assertThat(browser.page(header(led, "Location").substring("../..".length())).body())
        .contains("name=\"to\" value=\"" + page.replace("&", "&amp;") + "\"");
    assertThat(header(browser.login("bob", ApiServer.password("bob"), page), "Location"))
        .isEqualTo(page.substring(1));
    assertThat(header(browser.page("/console"), "Location"))
        .isEqualTo("console/outboxes/orders/overview");

    Browser stranger = new Browser(first.url());
    assertThat(header(stranger.page("/console"), "Location")).isEqualTo("login?to=%2Fconsole");
    HttpResponse<String> script = stranger.fetch(API);
    assertThat(script.statusCode()).isEqualTo(401);
    assertThat(header(script, "Content-Type")).startsWith("application/problem+json");
    assertThat(header(script, "WWW-Authenticate")).isEmpty();
    assertThat(stranger.fetch("/console").statusCode()).isEqualTo(401);
    assertThat(stranger.page(API).statusCode()).isEqualTo(401);
  }

  @Test
  void aLoginLeadsToNoOtherPlace() throws Exception {
    for (String to :
        List.of(
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "/console/..//evil.example",
            "/console//evil.example",
            "/console/%2e%2e/%2E%2E/x",
            "/consolex",
            "/api/v1/outboxes",
            "console",
            "javascript:alert(1)",
            "/console\r\nSet-Cookie: x=y",
            "/console/\"><b>")) {
      HttpResponse<String> answer =
          new Browser(first.url()).login("bob", ApiServer.password("bob"), to);
      assertThat(answer.statusCode()).as(to).isEqualTo(303);
      assertThat(header(answer, "Location")).as(to).isEqualTo("console");
    }
    assertThat(browser.page("/login?to=%22%3E%3Cb%3E").body()).doesNotContain("<b>");
  }

  @Test
  void aFormWithoutItsTokenLogsNobodyIn() throws Exception {
    Map<String, String> fields = Map.of("user", "bob", "password", ApiServer.password("bob"));
    HttpResponse<String> refused = browser.form("/login", fields);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("Please try again.", "<form");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    assertThat(count("waybill_login")).isZero();
  }

  @Test
  void answersMayBeShownNowhereElse() throws Exception {
    browser.login("alice");
    for (HttpResponse<String> answer :
        List.of(browser.fetch(API), browser.page("/login"), browser.fetch("/login/user"))) {
      assertThat(header(answer, "Content-Security-Policy"))
          .contains("default-src 'none'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(header(answer, "Referrer-Policy")).isEqualTo("same-origin");
      assertThat(header(answer, "Cache-Control")).contains("no-store");
    }
    assertThat(header(browser.page("/login"), "Content-Security-Policy"))
        .contains("style-src 'self'", "form-action 'self'", "base-uri 'none'");
    assertThat(header(browser.page("/login/style.css"), "Content-Type")).startsWith("text/css");
  }

  @Test
  void behindAProxyBelowAPathTheCookieIsItsOwn() throws Exception {
    Map<String, String> settings =
        Map.of(
            "SERVER_SERVLET_CONTEXTPATH", "/waybill",
            "SERVER_FORWARDHEADERSSTRATEGY", "native",
            "SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "127\\.0\\.0\\.1");
    try (ApiServer one = ApiServer.start(config(), users, settings);
        ApiServer other = ApiServer.start(config(), users, settings);
        ReverseProxy proxy = new ReverseProxy(one.url(), other.url())) {
      Browser shop = new Browser(proxy.url() + "/waybill");
      HttpResponse<String> led = shop.page("/console/x");
      assertThat(header(led, "Location")).isEqualTo("../login?to=%2Fconsole%2Fx");
      HttpResponse<String> answer = shop.login("alice", ApiServer.password("alice"), "/console/x");
      assertThat(header(answer, "Location")).isEqualTo("console/x");
      assertThat(header(answer, "Set-Cookie"))
          .startsWith("__Secure-waybill-login=")
          .contains("; Secure")
          .doesNotContain("Path");
      for (int i = 0; i < 2; i++) {
        String token = ApiServer.json(shop.fetch("/login/user")).get("csrfToken").asString();
        assertThat(shop.change(PAUSE, BODY, token).statusCode()).isEqualTo(200);
        assertThat(shop.fetch(API).statusCode()).isEqualTo(200);
      }
      shop.logout();
      assertThat(shop.fetch(API).statusCode()).isEqualTo(401);
    }
    try (ApiServer one =
        ApiServer.start(
            config(),
            users,
            Map.of(
                "SERVER_FORWARDHEADERSSTRATEGY", "native",
                "SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "127\\.0\\.0\\.1"))) {
      Browser whole = new Browser(one.url()).header("X-Forwarded-Proto", "https");
      assertThat(header(whole.login("alice"), "Set-Cookie"))
          .startsWith("__Host-waybill-login=")
          .contains("; Path=/", "; Secure");
    }
  }
}

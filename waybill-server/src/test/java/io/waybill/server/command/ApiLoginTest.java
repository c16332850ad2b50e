package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins of browsers at two instances of the API on one database. */
class ApiLoginTest extends CommandsOnPostgres {
  private static final String API = "/api/v1/outboxes";
  private static final String PAUSE = API + "/orders/destination/pause";
  private static final String BODY = "{\"destination\": \"orders\", \"reason\": \"ticket 7\"}";

  @TempDir private Path home;
  private Path users;
  private ApiServer first;
  private ApiServer second;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    users = home.resolve("users");
    write(ApiOnPostgres.user("alice", "operator"), ApiOnPostgres.user("bob", "viewer"));
    first = ApiServer.start(config(), users);
    second = ApiServer.start(config(), users);
    browser = new Browser(first.url());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  private void write(String... lines) throws Exception {
    Files.write(users, List.of(lines));
  }

  private String token() throws Exception {
    return ApiServer.json(browser.fetch("/login/user")).get("csrfToken").asString();
  }

  @Test
  void aLoginHoldsAtAllInstancesUntilItEnds() throws Exception {
    HttpResponse<String> page = browser.page("/login");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<form method=\"post\" action=\"login\">");
    assertThat(page.body()).doesNotContain("<script", "<style", " style=", "http:", "https:");
    HttpResponse<String> answer = browser.login("alice");
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(header(answer, "Location")).isEqualTo("login");
    assertThat(header(answer, "Set-Cookie"))
        .startsWith("waybill-login=")
        .contains("; HttpOnly", "; SameSite=Lax")
        .doesNotContain("Domain", "Max-Age", "Secure");

    assertThat(browser.fetch(API).body()).isEqualTo("{\"items\":[\"orders\"]}");
    assertThat(browser.at(second.url()).fetch(API).statusCode()).isEqualTo(200);
    assertThat(browser.fetch("/health").statusCode()).isIn(200, 503);
    assertThat(ApiServer.json(browser.fetch("/login/user")).get("user").asString())
        .isEqualTo("alice");
    assertThat(browser.page("/login").body()).contains("You are logged in as alice.");

    String before = browser.cookies().get("waybill-login");
    HttpResponse<String> out = browser.logout();
    assertThat(out.statusCode()).isEqualTo(303);
    assertThat(header(out, "Location")).isEqualTo("login?ended");
    assertThat(browser.cookies()).isEmpty();
    browser.cookies().put("waybill-login", before);
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    assertThat(browser.at(first.url()).fetch(API).statusCode()).isEqualTo(401);
    assertThat(browser.logout().statusCode()).as("once more").isEqualTo(303);
  }

  @Test
  void theTableHasNeitherTokensNorPasswordsAndLogsNobodyIn() throws Exception {
    browser.login("bob");
    String token = browser.cookies().get("waybill-login");
    String row = text("select row_to_json(l) from waybill_login l");
    assertThat(row).contains("bob").doesNotContain(token, ApiServer.password("bob"));
    sql("update waybill_login set name = 'alice'");
    assertThat(browser.fetch(API).statusCode()).as("of somebody else").isEqualTo(401);
  }

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

  /** Those who show a login with each request need no token, whatever cookie they have. */
  @Test
  void otherLoginsAreAsBefore() throws Exception {
    assertThat(
            first
                .post(
                    "alice",
                    "/outboxes/orders/destination/pause",
                    Map.of("destination", "orders", "reason", "r"))
                .statusCode())
        .isEqualTo(200);
    HttpResponse<String> stranger = first.get(null, "/outboxes");
    assertThat(stranger.statusCode()).isEqualTo(401);
    assertThat(header(stranger, "WWW-Authenticate")).isEqualTo("Basic realm=\"Waybill\"");
    assertThat(header(first.get("alice", "/outboxes"), "Set-Cookie")).isEmpty();
    browser.login("alice");
    browser.header("Authorization", "Basic bm9ib2R5Om5vYm9keQ==");
    assertThat(browser.fetch(API).statusCode()).as("the cookie does not count").isEqualTo(401);
    assertThat(browser.page("/login").statusCode()).isEqualTo(401);
  }

  /** What a page's script is told makes no browser ask for a password by itself. */
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
        .isEqualTo("." + page);
    assertThat(browser.page("/console").statusCode()).as("no console yet").isEqualTo(404);

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
      assertThat(header(answer, "Location")).as(to).isEqualTo("login");
    }
    assertThat(browser.page("/login?to=%22%3E%3Cb%3E").body()).doesNotContain("<b>");
  }

  @Test
  void whoIsRemovedOrHasOtherRolesOrAnotherPasswordLosesThem() throws Exception {
    browser.login("alice");
    Browser bob = new Browser(second.url());
    bob.login("bob");
    write(ApiOnPostgres.user("alice", "viewer"));
    assertThat(browser.change(PAUSE, BODY, token()).statusCode()).isEqualTo(403);
    assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
    assertThat(bob.fetch(API).statusCode()).isEqualTo(401);

    String other = ApiOnPostgres.user("mallory", "operator");
    write("alice:operator:" + other.substring(other.indexOf("{sha256}")));
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
  }

  @Test
  void wrongPasswordsAreCountedAsThoseOfOtherLogins() throws Exception {
    for (int i = 0; i < 10; i++) {
      HttpResponse<String> wrong = browser.login("alice", "wrong", "/console/x");
      assertThat(wrong.statusCode()).isEqualTo(403);
      assertThat(wrong.body()).contains("is wrong.", "value=\"/console/x\"");
      assertThat(wrong.body()).doesNotContain("wrong\"");
    }
    HttpResponse<String> refused = browser.login("alice");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(header(refused, "Retry-After")).matches("[0-9]+");
    assertThat(refused.body()).contains("Too many passwords were wrong.");
    assertThat(first.get("alice", "/outboxes").statusCode()).isEqualTo(429);
    assertThat(browser.login("bob").statusCode()).isEqualTo(303);
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
  void loginsEndByTime() throws Exception {
    browser.login("bob");
    sql("update waybill_login set used_at = clock_timestamp() - interval '29 minutes'");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
    assertThat(text("select used_at > clock_timestamp() - interval '1 minute' from waybill_login"))
        .as("it was used")
        .isEqualTo("t");
    sql("update waybill_login set used_at = clock_timestamp() - interval '31 minutes'");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    browser.cookies().clear();
    browser.login("bob");
    assertThat(count("waybill_login")).as("the one that has ended is gone").isOne();
    sql("update waybill_login set began_at = clock_timestamp() - interval '13 hours'");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    assertThat(browser.page("/login").body()).contains("Log in");
  }

  @Test
  void whoOnlyListensDoesNotUseALogin() throws Exception {
    browser.login("bob");
    sql("update waybill_login set used_at = clock_timestamp() - interval '29 minutes'");
    browser.header("Accept", "text/event-stream");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
    assertThat(text("select used_at > clock_timestamp() - interval '1 minute' from waybill_login"))
        .isEqualTo("f");
  }

  @Test
  void withoutTheTableTheFormSaysSoAndOtherLoginsWork() throws Exception {
    browser.login("alice");
    sql("drop table waybill_login");
    assertThat(run("schema", "check").out()).contains("login-table-missing", "waybill_login");
    HttpResponse<String> refused = new Browser(first.url()).login("alice");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body())
        .contains("table waybill_login is missing", "waybill schema apply", "--login-grant");
    assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    assertThat(first.get("alice", "/outboxes/orders").statusCode()).isEqualTo(200);
  }

  @Test
  void theRoleOfTheApiNeedsItsGrant() throws Exception {
    sql("create role login_api login; create role login_relay; create role login_reader");
    sql(run("schema", "print", "--grants", "login_relay,login_relay,login_api,login_reader").out());
    Path own = CommandRun.write(home, yaml("login_api"));
    try (ApiServer api = ApiServer.start(own, users)) {
      browser.at(api.url());
      assertThat(browser.login("alice").body()).contains("--login-grant ROLE");
      assertThat(api.get("alice", "/outboxes/orders").statusCode()).isEqualTo(200);
      CommandRun grant = run("schema", "print", "--login-grant", "login_api");
      assertThat(grant.code()).isEqualTo(ExitCode.OK);
      sql(grant.out());
      assertThat(browser.login("alice").statusCode()).isEqualTo(303);
      assertThat(browser.fetch(API).statusCode()).isEqualTo(200);
      browser.logout();
      assertThat(browser.fetch(API).statusCode()).isEqualTo(401);
    }
    assertThat(text("select has_table_privilege('login_reader', 'waybill_login', 'select')"))
        .isEqualTo("f");
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
      assertThat(header(answer, "Location")).isEqualTo("./console/x");
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

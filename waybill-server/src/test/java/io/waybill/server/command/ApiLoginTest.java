package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logins of browsers, from the form until they end. */
@Tag("long")
class ApiLoginTest extends BrowsersAtTheApi {
  @Test
  void aLoginHoldsAtAllInstancesUntilItEnds() throws Exception {
    HttpResponse<String> page = browser.page("/login");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<form method=\"post\" action=\"login\">");
    assertThat(page.body()).doesNotContain("<script", "<style", " style=", "http:", "https:");
    HttpResponse<String> answer = browser.login("alice");
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(header(answer, "Location")).isEqualTo("console");
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
}

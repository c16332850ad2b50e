package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every page of the console by plain HTTP, on real servers. */
class ConsolePagesTest extends ApiOnPostgres {
  private static final String SHOP = "/console/outboxes/orders/";
  private static final Pattern FORM =
      Pattern.compile("<form method=\"post\".*?</form>", Pattern.DOTALL);
  // Path, and the heading.
  private static final Map<String, String> PAGES =
      Map.ofEntries(
          Map.entry("overview", "Overview"),
          Map.entry("failures", "Failures"),
          Map.entry("failures?state=dead", "Failures"),
          Map.entry("failures?state=pending", "Failures"),
          Map.entry("keys", "Blocked keys"),
          Map.entry("destinations", "Destinations"),
          Map.entry("destination?name=audit", "Destination"),
          Map.entry("events", "Events"),
          Map.entry("events?state=parked&type=placed", "Events"),
          Map.entry("event?id=e1", "Event"),
          Map.entry("event?id=e3", "Event"),
          Map.entry("correct?id=e1", "Correct an event"),
          Map.entry("relays", "Relays and lanes"),
          Map.entry("storage", "Storage"),
          Map.entry("checks", "Checks"),
          Map.entry("plan?eventId=e1&verb=skip", "Plan a change"),
          Map.entry("jobs", "Jobs"),
          Map.entry("audit", "Audit"),
          Map.entry("dead-letters", "Dead letters"),
          Map.entry("dead-letters?source=orders&type=placed", "Dead letters"),
          Map.entry("inbox", "Inbox"));

  private Browser browser(String user) throws Exception {
    Browser browser = new Browser(api.url());
    assertThat(browser.login(user).statusCode()).isEqualTo(303);
    return browser;
  }

  @Test
  void everyPageIsThereForAViewerAndForAnOperator() throws Exception {
    for (String user : List.of("viewer", "operator", "administrator", "here")) {
      Browser browser = browser(user);
      for (Map.Entry<String, String> page : PAGES.entrySet()) {
        ConsolePage.check(browser.page(SHOP + page.getKey()), page.getValue());
      }
    }
    ConsolePage.check(
        browser("administrator").page(SHOP + "declare?destination=orders-red"),
        "Declare destinations");
  }

  @Test
  void everyAssetOfAPageIsThere() throws Exception {
    Browser browser = browser("viewer");
    List<String> assets =
        ConsolePage.addresses(browser.page(SHOP + "overview"))
            .filter(link -> link.contains("/assets/"))
            .toList();
    assertThat(assets).hasSize(6);
    for (String asset : assets) {
      HttpResponse<String> answer = browser.fetch(asset.replace("../../..", ""));
      assertThat(answer.statusCode()).as(asset).isEqualTo(200);
      assertThat(header(answer, "Content-Type"))
          .matches("(text/(css|javascript)|image/svg[+]xml);charset=UTF-8");
      assertThat(header(answer, "Cache-Control")).contains("immutable");
    }
    assertThat(browser.fetch("/console/assets/none.js").statusCode()).isEqualTo(404);
  }

  @Test
  void linksOfPagesLeadToPages() throws Exception {
    Browser browser = browser("operator");
    for (String page : PAGES.keySet()) {
      List<String> links =
          ConsolePage.links(browser.page(SHOP + page)).stream()
              .filter(link -> !link.startsWith("purge"))
              .toList();
      assertThat(links).hasSizeGreaterThan(9);
      for (String link : links) {
        assertThat(browser.page(SHOP + link).statusCode()).as(link).isEqualTo(200);
      }
    }
  }

  @Test
  void aButtonSaysWhichRoleItNeeds() throws Exception {
    String plan = "plan?eventId=e1";
    assertThat(forms(browser("viewer").page(SHOP + plan)))
        .singleElement()
        .asString()
        .contains("disabled", "needs the role WAYBILL_OPERATOR");
    assertThat(forms(browser("operator").page(SHOP + plan)))
        .singleElement()
        .asString()
        .contains("name=\"_csrf\"")
        .doesNotContain("disabled");
    assertThat(forms(browser("operator").page(SHOP + "event?id=e1")))
        .singleElement()
        .asString()
        .contains("disabled", "needs the role WAYBILL_ADMINISTRATOR");
  }

  private static List<String> forms(HttpResponse<String> page) {
    return FORM.matcher(page.body()).results().map(MatchResult::group).toList();
  }

  /** The button is disabled for people; the API decides. */
  @Test
  void whoLacksTheRoleIsRefused() throws Exception {
    Browser viewer = browser("viewer");
    Map<String, String> pause =
        Map.of(
            "action",
            "pause",
            "reason",
            "x",
            "_csrf",
            viewer.hidden(SHOP + "destination?name=audit"));
    HttpResponse<String> refused = viewer.form(SHOP + "destination?name=audit", pause);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("This needs the role WAYBILL_OPERATOR");
    assertThat(count("waybill_audit")).isZero();
    assertThat(viewer.page(SHOP + "declare").statusCode()).isEqualTo(403);

    Browser elsewhere = browser("elsewhere");
    assertThat(elsewhere.page(SHOP + "overview").statusCode()).isEqualTo(403);
    assertThat(elsewhere.page("/console").body()).contains("You may look at no outbox");
    assertThat(viewer.page("/console/outboxes/other/overview").statusCode()).isEqualTo(404);
    assertThat(viewer.page(SHOP + "nothing").statusCode()).isEqualTo(404);
    assertThat(viewer.page(SHOP + "event?id=none").body()).contains("There is no event 'none'");
  }

  @Test
  void aFormNeedsTheTokenOfItsPage() throws Exception {
    Browser operator = browser("operator");
    String page = SHOP + "destination?name=audit";
    Map<String, String> pause = Map.of("action", "pause", "reason", "x");
    HttpResponse<String> stale = operator.form(page, pause);
    assertThat(stale.statusCode()).isEqualTo(403);
    assertThat(header(stale, "Content-Type")).startsWith("text/html");
    assertThat(stale.body())
        .contains("Nothing was changed", "<a href=\"\">", "../../../login/style.css");
    assertThat(count("waybill_audit")).isZero();
    assertThat(
            operator.form(SHOP + "overview", Map.of("_csrf", operator.hidden(page))).statusCode())
        .isEqualTo(405);
  }

  @Test
  void aDestinationIsPausedAndResumed() throws Exception {
    Browser operator = browser("operator");
    String page = SHOP + "destination?name=audit";
    HttpResponse<String> paused = operator.form(page, change(operator, page, "pause", "ticket 7"));
    assertThat(paused.statusCode()).isEqualTo(303);
    assertThat(header(paused, "Location")).isEqualTo("destination?name=audit");
    assertThat(operator.page(page).body()).contains("operator", "ticket 7", "Resume it");
    assertThat(operator.page(SHOP + "overview").body())
        .contains("Destination audit is paused", "operator paused it: ticket 7");
    operator.form(page, change(operator, page, "resume", "well again"));
    assertThat(operator.page(page).body()).contains("well again", "Pause it");
    assertThat(
            text(
                "select string_agg(verb || ' ' || requested_by, ',' order by id) from waybill_audit"))
        .isEqualTo("PAUSE operator,RESUME operator");
    operator.form(page, change(operator, page, "pause", "the first"));
    HttpResponse<String> again = operator.form(page, change(operator, page, "pause", "the second"));
    assertThat(header(again, "Location")).isEqualTo("destination?name=audit&kept=yes");
    assertThat(operator.page(SHOP + header(again, "Location")).body())
        .contains("was paused already, so the first reason stays", "the first</dd>")
        .doesNotContain("the second");
    HttpResponse<String> blank = operator.form(page, change(operator, page, "pause", " "));
    assertThat(blank.statusCode()).isEqualTo(400);
    assertThat(blank.body()).contains("role=\"alert\"", "reason must be given");
  }

  @Test
  void deadLettersThatNobodyHasSentAgainAreOnTheOverview() throws Exception {
    Browser viewer = browser("viewer");
    assertThat(viewer.page(SHOP + "overview?part=elsewhere").body())
        .contains(
            "Dead letters of orders", "Repair the consumer first", "dead-letters?source=orders");
    assertThat(viewer.page(SHOP + "dead-letters").body())
        .contains("hx-trigger=\"every 30s\"", "The first failed", "<span class=\"since\">for ");
  }

  private static Map<String, String> change(
      Browser browser, String page, String action, String reason) throws Exception {
    return Map.of("action", action, "reason", reason, "_csrf", browser.hidden(page));
  }

  @Test
  void aPayloadIsMaskedUntilAnAdministratorRevealsIt() throws Exception {
    Browser administrator = browser("administrator");
    String page = SHOP + "event?id=e3";
    assertThat(administrator.page(page).body())
        .contains("Payload and headers are masked.")
        .doesNotContain("colour");
    HttpResponse<String> revealed =
        administrator.form(page, change(administrator, page, "reveal", "ticket 8"));
    assertThat(revealed.statusCode()).isEqualTo(200);
    assertThat(revealed.body()).contains("colour", "{\"n\":3}");
    assertThat(text("select verb || requested_by || reason from waybill_audit"))
        .isEqualTo("REVEALadministratorticket 8");
    assertThat(administrator.page(page).body()).contains("administrator asked: REVEAL");
    Browser operator = browser("operator");
    assertThat(operator.form(page, change(operator, page, "reveal", "x")).statusCode())
        .isEqualTo(403);
  }

  /** Neither markup, nor what moves a terminal's cursor, nor length. */
  @Test
  void hostileTextsAreShownAsText() throws Exception {
    String evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
    String id = "x" + evil + "\u001b[31m\u202e";
    String quoted = id.replace("'", "''");
    // The own table takes no such id; others do.
    sql("alter table waybill_outbox drop constraint waybill_outbox_event_id_check");
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload, headers)
        values ('%1$s', '%1$s', '%1$s', '%1$s', '%1$s', '{"colour":"red"}')"""
            .formatted(quoted));
    state(quoted, "PARKED");
    sql(
        """
        update waybill_row_state set last_reason = '%1$s', last_detail = repeat('%1$s', 1500), destination = '%1$s',
          failure_group = '0123456789abcdef0123456789abcdef'
        where row_id = (select id from waybill_outbox where event_id = '%1$s')"""
            .formatted(quoted));
    Browser administrator = browser("administrator");
    String page = SHOP + "destination?name=" + encoded(id);
    administrator.form(page, change(administrator, page, "pause", id));
    String event = SHOP + "event?id=" + encoded(id);
    HttpResponse<String> revealed =
        administrator.form(event, change(administrator, event, "reveal", id));
    List<HttpResponse<String>> pages =
        Stream.concat(
                Stream.of(revealed),
                Stream.of(
                        "overview",
                        "failures",
                        "keys",
                        "destinations",
                        "destination?name=" + encoded(id),
                        "events?type=" + encoded(id),
                        "event?id=" + encoded(id),
                        "plan?eventId=" + encoded(id),
                        "correct?id=" + encoded(id),
                        "plan?group=parked-0123456789abcdef0123456789abcdef",
                        "audit",
                        "dead-letters?source=orders&error=" + encoded(id))
                    .map(each -> shown(administrator, each)))
            .toList();
    for (HttpResponse<String> shown : pages) {
      // A condition goes back into its field as it was given.
      String body = shown.body().replaceAll(" value=\"[^\"]*\"", "");
      assertThat(shown.statusCode()).as(body).isEqualTo(200);
      assertThat(shown.body()).contains("&lt;script");
      assertThat(body).doesNotContain("<script>alert", "<img", "\u001b", "\u202e");
      // A text that ends an attribute would have begun another one.
      assertThat(body).doesNotContainPattern("<[^>]*[ \"']onerror=");
      assertThat(body.length()).as(shown.uri().toString()).isLessThan(100_000);
    }
    assertThat(pages.get(3).body()).contains("more characters)");
    assertThat(administrator.page(SHOP + "event?id=" + encoded("e".repeat(600))).statusCode())
        .isEqualTo(400);
  }

  private static HttpResponse<String> shown(Browser browser, String page) {
    try {
      return browser.page(SHOP + page);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void itIsNotThereWhenItIsDisabled() throws Exception {
    try (ApiServer without =
        ApiServer.start(config(), users, Map.of("WAYBILL_CONSOLE_ENABLED", "false"))) {
      Browser browser = new Browser(without.url());
      browser.login("operator");
      assertThat(browser.page("/console").statusCode()).isEqualTo(404);
      assertThat(browser.page(SHOP + "overview").statusCode()).isEqualTo(404);
      assertThat(browser.fetch("/api/v1/outboxes").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aFormThatIsSentAfterTheLoginHasEndedLeadsBackToItsPage() throws Exception {
    Browser operator = browser("operator");
    String page = SHOP + "destination?name=audit";
    Map<String, String> pause = change(operator, page, "pause", "ticket 7");
    sql("delete from waybill_login");
    HttpResponse<String> led = operator.form(page, pause);
    assertThat(led.statusCode()).as(led.body()).isEqualTo(302);
    assertThat(header(led, "Location"))
        .isEqualTo("../../../login?to=%2Fconsole%2Foutboxes%2Forders%2Fdestination%3Fname%3Daudit");
    assertThat(count("waybill_audit")).isZero();
  }
}

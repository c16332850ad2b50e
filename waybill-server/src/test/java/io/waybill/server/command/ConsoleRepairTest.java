package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.testkit.Patience;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What an administrator repairs in the console: a correction, and the removal of dead events. */
class ConsoleRepairTest extends ApiOnPostgres {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String SHOP = "/console/outboxes/orders/";
  private static final String EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
  private static final Pattern PLAN = Pattern.compile("name=\"plan\" value=\"(\\d+)\"");

  private Browser browser(String user) throws Exception {
    Browser browser = new Browser(api.url());
    assertThat(browser.login(user).statusCode()).isEqualTo(303);
    return browser;
  }

  private static String shown(Browser browser, String page) throws Exception {
    HttpResponse<String> answer = browser.page(SHOP + page);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static HttpResponse<String> sent(
      Browser browser, String page, String token, Map<String, String> fields) throws Exception {
    Map<String, String> all = new HashMap<>(fields);
    all.put("_csrf", browser.hidden(SHOP + token));
    return browser.form(SHOP + page, all);
  }

  private static HttpResponse<String> sent(Browser browser, String page, Map<String, String> fields)
      throws Exception {
    return sent(browser, page, page, fields);
  }

  private static String done(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void aPoisonedEventIsCorrectedAndBothLeadToEachOther() throws Exception {
    Browser browser = browser("administrator");
    assertThat(shown(browser, "event?id=e1")).contains("href=\"correct?id=e1\"");
    assertThat(shown(browser, "event?id=e3")).doesNotContain("href=\"correct");
    String page = "correct?id=e1";
    assertThat(shown(browser, page)).contains("are masked", "too large").doesNotContain("{\"n\"");

    String revealed = done(sent(browser, page, Map.of("action", "reveal", "reason", "ticket 7")));
    assertThat(revealed).contains("name=\"payload\"", "{\"n\":1}</textarea>", "colour");

    Map<String, String> right =
        Map.of("payload", "{\"n\":42}\r\n ", "header", "colour=blue\r\nsize=1", "type", "");
    String planned = done(sent(browser, page, right));
    assertThat(planned)
        .contains("Nothing was changed.", "Is buried", "readonly", "{\"n\":42}\n </textarea>")
        .contains("colour=blue\nsize=1</textarea>");
    assertThat(count("waybill_outbox")).isEqualTo(4);

    Map<String, String> run = new HashMap<>(right);
    run.putAll(Map.of("action", "run", "reason", "ticket 7"));
    Matcher plan = PLAN.matcher(planned);
    assertThat(plan.find()).isTrue();
    run.put("plan", plan.group(1));
    assertThat(done(sent(browser, page, run)))
        .contains("No relay has buried the event yet", "hx-post=\"correct?id=e1&amp;part=now\"")
        .contains("name=\"reason\" value=\"ticket 7\"", "{\"n\":42}\n </textarea>");
    await().atMost(LIMIT).until(() -> bury("e1"));
    String now = page + "&part=now";
    await()
        .atMost(LIMIT)
        .until(() -> done(sent(browser, now, page, run)).contains("The corrected event is"));
    assertThat(done(sent(browser, now, page, run))).doesNotContain("<html", "hx-post");

    String corrected = text("select event_id from waybill_outbox order by id desc limit 1");
    assertThat(
            text(
                "select convert_from(payload, 'UTF8') from waybill_outbox order by id desc limit 1"))
        .isEqualTo("{\"n\":42}\n ");
    assertThat(text("select headers::text from waybill_outbox order by id desc limit 1"))
        .contains("blue", "size");
    assertThat(shown(browser, "event?id=e1"))
        .contains("Corrected by", "href=\"event?id=" + corrected + "\"");
    assertThat(shown(browser, "event?id=" + corrected))
        .contains("Corrects", "href=\"event?id=e1\"");
    assertThat(text("select string_agg(verb, ',' order by id) from waybill_audit"))
        .isEqualTo("REVEAL,BURY,CORRECT,APPEND");
    HttpResponse<String> again = sent(browser, page, right);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("has been corrected by");
  }

  @Test
  void whoMayNotCorrectIsToldTheRoleAndNothingIsLostOfARefusedForm() throws Exception {
    for (String user : List.of("viewer", "operator")) {
      Browser browser = browser(user);
      assertThat(shown(browser, "event?id=e1"))
          .contains("Correct", "needs the role WAYBILL_ADMINISTRATOR")
          .doesNotContain("href=\"correct");
      assertThat(shown(browser, "correct?id=e1"))
          .contains("needs the role WAYBILL_ADMINISTRATOR")
          .doesNotContain("{\"n\"");
      assertThat(sent(browser, "correct?id=e1", Map.of("payload", "{}")).statusCode())
          .isEqualTo(403);
      HttpResponse<String> reveal =
          sent(browser, "correct?id=e1", Map.of("action", "reveal", "reason", "x"));
      assertThat(reveal.statusCode()).isEqualTo(403);
    }
    Browser browser = browser("administrator");
    HttpResponse<String> refused =
        sent(browser, "correct?id=e1", Map.of("payload", EVIL, "header", "nothing"));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("header must be like NAME=VALUE", "&lt;script")
        .doesNotContain("<script>alert", "<img");
    assertThat(count("waybill_job")).isZero();
    assertThat(count("waybill_audit")).isZero();
  }

  /** A field of a form gives back neither other ends of lines nor control characters. */
  @Test
  void aPayloadThatAFormWouldChangeIsCorrectedInBase64() throws Exception {
    sql("update waybill_outbox set payload = '\\x610d0a62' where event_id = 'e1'");
    sql("update waybill_outbox set payload = '\\x00ff' where event_id = 'e2'");
    Browser browser = browser("administrator");
    Map<String, String> reveal = Map.of("action", "reveal", "reason", "ticket 7");
    assertThat(done(sent(browser, "correct?id=e1", reveal))).contains("YQ0KYg==</textarea>");
    assertThat(done(sent(browser, "correct?id=e2", reveal))).contains("AP8=</textarea>");
  }

  @Test
  void deadEventsThatWereLookedAtAreRemoved() throws Exception {
    state("e3", "DEAD");
    Browser browser = browser("administrator");
    assertThat(shown(browser, "events?state=dead")).contains("href=\"purge?state=dead\"");
    assertThat(shown(browser, "purge?type=none")).contains("None meets the conditions.");
    assertThat(shown(browser, "purge"))
        .contains("All dead events that meet the conditions", "Remove these 2", "e2", "e3");
    sql(
        """
        update waybill_row_state set state = 'PARKED'
        where row_id = (select id from waybill_outbox where event_id = 'e3')""");
    String token = browser.hidden(SHOP + "purge");
    String body = "event=e2&event=e3&event=gone&why=ticket+7&_csrf=" + token;
    String removed = done(browser.raw(SHOP + "purge", body));
    assertThat(removed)
        .contains("1 of 3 events were removed", "It is PARKED by now.", "no such event any more");
    assertThat(text("select string_agg(event_id, ',' order by id) from waybill_outbox"))
        .isEqualTo("e1,e3,e4");
    assertThat(text("select verb || ' ' || requested_by || ' ' || reason from waybill_audit"))
        .isEqualTo("PURGE administrator ticket 7");
    HttpResponse<String> blank = browser.raw(SHOP + "purge", "event=e1&why=+&_csrf=" + token);
    assertThat(blank.statusCode()).isEqualTo(400);

    Browser operator = browser("operator");
    assertThat(operator.page(SHOP + "purge").statusCode()).isEqualTo(403);
    assertThat(shown(operator, "events?state=parked")).doesNotContain("href=\"purge");
    String own = operator.hidden(SHOP + "event?id=e3");
    assertThat(operator.raw(SHOP + "purge", "event=e3&why=x&_csrf=" + own).statusCode())
        .isEqualTo(403);
    assertThat(header(browser.page(SHOP + "export?list=none"), "Location")).isEqualTo("events");
  }
}

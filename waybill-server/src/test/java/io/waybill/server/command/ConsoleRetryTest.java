package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a group of failures to the outcome of each event, by the forms of the console alone. */
class ConsoleRetryTest extends ParkedGroup {
  private static final String SHOP = "/console/outboxes/orders/";

  @TempDir private Path home;
  private ApiServer api;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    Path users = home.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"), ApiOnPostgres.user("operator", "operator")));
    api = ApiServer.start(config(), users);
    browser = new Browser(api.url());
    browser.login("operator");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  /** Sends the form of a page, and returns the address that it leads to. */
  private String sent(String page, Map<String, String> fields) throws Exception {
    Map<String, String> all = new HashMap<>(fields);
    all.put("_csrf", browser.hidden(SHOP + page));
    HttpResponse<String> answer = browser.form(SHOP + page, all);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    return header(answer, "Location");
  }

  private String shown(String page) throws Exception {
    HttpResponse<String> answer = browser.page(SHOP + page);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private String planned(String canary) throws Exception {
    assertThat(shown("failures"))
        .contains("href=\"plan?group=" + GROUP + "\"", "too large", ">20<");
    assertThat(shown("plan?group=" + GROUP))
        .contains("<strong>20 events</strong> of one group", "orders-red", "All of them", "p10")
        .doesNotContain("replay");
    String job =
        sent(
            "plan?group=" + GROUP,
            Map.of("verb", "retry", "canary", canary, "rate", "50", "stopAfter", "5"));
    assertThat(requested()).as("a plan").isEmpty();
    assertThat(shown(job))
        .contains("This is a plan", canary + " first, then 50 a second", "PLANNED", "p10", "p29");
    return job;
  }

  private String ended(String job, Predicate<String> fails) throws Exception {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              for (String id : open()) {
                carryOut(id, fails.test(id));
              }
              return shown(job).matches("(?s).*badge (good|bad)\">(DONE|STOPPED).*");
            });
    return shown(job);
  }

  @Test
  void aGroupIsRetriedByACanaryAndTheRestAtARate() throws Exception {
    String job = planned("3");
    assertThat(sent(job, Map.of("action", "run", "reason", "the limit is higher now")))
        .isEqualTo(job);
    await().atMost(LIMIT).until(() -> requested().size() == 3);
    assertThat(shown(job))
        .contains("RUNNING", "hx-get=\"" + job + "&amp;part=now\"", "the limit is higher now");
    assertThat(shown("overview")).contains("is under way", "the limit is higher now");

    assertThat(ended(job, id -> false))
        .contains("DONE", "<span class=\"quiet\">Succeeded</span><strong>20</strong>")
        .doesNotContain("hx-get");
    assertThat(shown(job + "&outcome=published")).contains("p10", "p29");
    assertThat(shown(job + "&outcome=failed")).contains("None has this outcome.");
    assertThat(requested()).hasSize(20);
    assertThat(text("select distinct requested_by || ': ' || reason from waybill_audit"))
        .isEqualTo("operator: the limit is higher now");
    assertThat(shown("failures")).contains("no event was refused so often");
  }

  @Test
  void aCanaryThatFailsAgainStopsTheJobBeforeTheRest() throws Exception {
    String job = planned("3");
    sent(job, Map.of("action", "run", "reason", "hope"));
    assertThat(ended(job, id -> true))
        .contains("STOPPED", "no event of the canary succeeded")
        .contains("<span class=\"quiet\">Failed</span><strong>3</strong>")
        .contains("<span class=\"quiet\">Not tried</span><strong>17</strong>", "17 of its events");
    assertThat(requested()).hasSize(3);
  }

  /** One who sees only the failure would try the same once more. */
  @Test
  void whatWasRetriedInVainIsCalledSoEverywhere() throws Exception {
    assertThat(shown("overview")).doesNotContain("did not help");
    assertThat(shown("failures")).doesNotContain("retried in vain");
    assertThat(shown("keys")).doesNotContain("since before");
    String job = planned("3");
    sent(job, Map.of("action", "run", "reason", "hope"));
    ended(job, id -> true);
    assertThat(shown("overview"))
        .contains("20 events of type placed parked: refused", "A retry did not help")
        .contains("The first of them failed last");
    assertThat(shown("failures")).contains("retried in vain");
    assertThat(shown("keys")).contains("since before", "when it was first retried", "last failure");
    assertThat(shown("audit")).contains("failed again</span> refused, ");
    assertThat(shown("event?id=p10"))
        .containsSubsequence(
            "written",
            "had failed before this",
            "refused: too large. When is not kept.",
            "operator asked: RETRY",
            "RETRY carried out",
            "failed again: refused");
    assertThat(shown("event?id=p20")).doesNotContain("failed again", "had failed before");
    // What an operator did afterwards is no failure.
    sql(
        """
        update waybill_row_state set state = 'DEAD', last_reason = 'skipped', changed_at = clock_timestamp()
        where row_id = (select id from waybill_outbox where event_id = 'p10')""");
    assertThat(shown("event?id=p10"))
        .contains("<strong>skipped</strong>")
        .doesNotContain("failed again");
  }

  /** What is copied is run as it is, but for what the reader has to write. */
  @Test
  void aCommandOfTheOverviewHasACanaryAndAsksForTheReason() throws Exception {
    assertThat(shown("overview"))
        .contains(
            "./waybill failures retry " + GROUP + " --canary 5 --yes --reason <span data-asked")
        .doesNotContain("TEXT");
  }

  @Test
  void aDestinationThatHasParkedEventsDoesNotLookWell() throws Exception {
    assertThat(shown("destinations"))
        .contains("has parked events", "asks no broker", "href=\"failures?state=parked\"")
        .doesNotContain("takes events</span>");
    assertThat(shown("destination?name=orders-red")).contains("has parked events");
    assertThat(shown("destination?name=audit")).contains("nothing recorded lately");
  }

  @Test
  void aPlanOutlivesTheLoginAndIsCancelled() throws Exception {
    String job = planned("0");
    browser.logout();
    HttpResponse<String> led = browser.page(SHOP + job);
    assertThat(header(led, "Location")).startsWith("../../../login?to=%2Fconsole%2Foutboxes");
    HttpResponse<String> back =
        browser.login("operator", ApiServer.password("operator"), SHOP + job);
    assertThat(header(back, "Location")).isEqualTo((SHOP + job).substring(1));
    assertThat(shown(job)).contains("This is a plan");

    Browser viewer = new Browser(api.url());
    viewer.login("viewer");
    assertThat(viewer.page(SHOP + job).body())
        .contains("This is a plan", "needs the role WAYBILL_OPERATOR");
    Map<String, String> run =
        Map.of("action", "run", "reason", "x", "_csrf", viewer.hidden(SHOP + job));
    assertThat(viewer.form(SHOP + job, run).statusCode()).isEqualTo(403);

    sent(job, Map.of("action", "cancel"));
    assertThat(shown(job)).contains("CANCELLED", "by operator");
    assertThat(requested()).isEmpty();
  }

  @Test
  void theFirstEventOfAKeyIsSkippedAndItsFollowersAreNamed() throws Exception {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'behind' || n, 'placed', 'order', 'p10', '{}' from generate_series(1, 3) n""");
    assertThat(shown("keys")).contains("order/p10", "href=\"plan?eventId=p10&amp;verb=skip\"");
    String plan = "plan?eventId=p10&verb=skip";
    assertThat(shown(plan))
        .contains("<strong>1 event</strong>", "consumers never see it", "value=\"skip\" checked");
    assertThat(shown("event?id=p10")).contains("Behind it", "behind1", "behind3");
    String job = sent(plan, Map.of("verb", "skip"));
    sent(job, Map.of("action", "run", "reason", "never wanted"));
    await().atMost(LIMIT).until(() -> open().contains("p10"));
    assertThat(text("select verb from waybill_audit where event_id = 'p10'")).isEqualTo("SKIP");
  }
}

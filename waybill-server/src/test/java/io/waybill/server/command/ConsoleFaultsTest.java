package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.internal.ConsoleRequestHandler;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each page of the console once, with the faults alive and hostile texts in all that people and
 * applications write. Pages are found by following links, so that one that is added is among them.
 */
class ConsoleFaultsTest extends FaultsAlive {
  private static final String SHOP = "/console/outboxes/orders/";
  private static final String EVIL =
      "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u001b[31m\u202e";
  // Of pages that differ by the values of their parameters alone.
  private static final int OF_EACH_KIND = 2;
  private static final Pattern FIELD = Pattern.compile(" value=\"[^\"]*\"");

  private static Browser administrator;

  @BeforeAll
  static void writeHostileTexts() throws Exception {
    String evil = EVIL.replace("'", "''");
    // The own table takes no such id; others do.
    sql("alter table waybill_outbox drop constraint waybill_outbox_event_id_check");
    // Too large, so that it is parked.
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, headers, payload)
        select '%1$s', '%1$s', '%1$s', '%1$s', json_build_object('colour', '%1$s'),
          convert_to('%1$s' || string_agg(md5(i::text), ''), 'UTF8')
        from generate_series(1, 90000) i"""
            .formatted(evil));
    await()
        .atMost(LIMIT)
        .until(() -> command("status", "--json").json().get(0).get("parked").asInt() == 32);
    assertThat(command("events", "skip", "strayed-30", "--yes", "--reason", EVIL).code()).isZero();
    await()
        .atMost(LIMIT)
        .until(() -> command("status", "--json").json().get(0).get("dead").asInt() == 1);
    administrator = browser("administrator");
    // An event of an application that refuses it in words of its own.
    sql("update waybill_row_state set last_detail = last_detail || '%s'".formatted(evil));
    String destination = "destination?name=" + ApiOnPostgres.encoded(EVIL);
    change(destination, "action", "pause", "reason", EVIL);
    change("plan?eventId=" + ApiOnPostgres.encoded(EVIL), "verb", "retry");
  }

  private static Browser browser(String user) throws Exception {
    Browser browser = new Browser(api.url());
    browser.login(user);
    return browser;
  }

  private static HttpResponse<String> change(String page, String... fields) throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("_csrf", administrator.hidden(SHOP + page)));
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    HttpResponse<String> answer = administrator.form(SHOP + page, all);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 303);
    return answer;
  }

  /** What links lead to from the overview: a few pages of each kind, by their addresses. */
  private static Map<String, HttpResponse<String>> followed(Browser browser) throws Exception {
    Map<String, HttpResponse<String>> found = new LinkedHashMap<>();
    Map<String, Integer> kinds = new HashMap<>();
    Deque<String> next = new ArrayDeque<>(List.of("overview"));
    while (!next.isEmpty()) {
      String address = next.remove();
      boolean wanted =
          address.contains("script") || kinds.merge(kind(address), 1, Integer::sum) <= OF_EACH_KIND;
      if (wanted && !found.containsKey(address)) {
        HttpResponse<String> page = browser.page(SHOP + address);
        found.put(address, page);
        next.addAll(ConsolePage.links(page));
      }
    }
    return found;
  }

  private static String path(String address) {
    return address.split("\\?", 2)[0];
  }

  private static String kind(String address) {
    return path(address)
        + Arrays.stream(address.split("[?&]"))
            .skip(1)
            .map(each -> each.split("=", 2)[0])
            .collect(Collectors.joining(","));
  }

  private static void check(String address, HttpResponse<String> page) {
    if (isFile(page)) {
      assertThat(page.statusCode()).as(address).isEqualTo(200);
      assertThat(Browser.header(page, "Content-Disposition")).startsWith("attachment");
      assertThat(Browser.header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
      ConsolePage.checkPolicy(page);
    } else if (page.body().contains("<!doctype html>")) {
      ConsolePage.check(page, ConsolePage.title(page));
    } else {
      ConsolePage.checkPart(page);
    }
    assertHarmless(page);
  }

  /** A browser saves it, and shows nothing of it. */
  private static boolean isFile(HttpResponse<String> page) {
    return !page.headers().firstValue("Content-Type").orElse("").startsWith("text/html");
  }

  private static void assertHarmless(HttpResponse<String> page) {
    if (isFile(page)) {
      return;
    }
    // A condition goes back into its field as it was given.
    String body = FIELD.matcher(page.body()).replaceAll("");
    assertThat(body)
        .as(page.uri().toString())
        .doesNotContain("<script>alert", "<img", "\u001b", "\u202e")
        // A text that ends an attribute would have begun another one.
        .doesNotContainPattern("<[^>]*[ \"']onerror=");
  }

  @Test
  void everyPageIsThereForEveryRoleAndShowsHostileTextsAsText() throws Exception {
    Map<String, HttpResponse<String>> all = followed(administrator);
    all.forEach(ConsoleFaultsTest::check);
    assertThat(all.keySet().stream().map(ConsoleFaultsTest::path).collect(Collectors.toSet()))
        .as("the pages that links lead to")
        .containsAll(ConsoleRequestHandler.PATHS);
    Set<String> hostile =
        all.entrySet().stream()
            .filter(each -> each.getValue().body().contains("&lt;script"))
            .map(each -> path(each.getKey()))
            .collect(Collectors.toSet());
    assertThat(hostile)
        .contains("overview", "failures", "keys", "destinations", "destination", "events")
        .contains("event", "plan", "job", "audit");
    for (String user : List.of("viewer", "operator")) {
      Browser browser = browser(user);
      Map<String, HttpResponse<String>> own = followed(browser);
      own.forEach(ConsoleFaultsTest::check);
      for (String address : all.keySet()) {
        HttpResponse<String> page = own.get(address);
        if (page == null) {
          // Without a link to it, it is there, or says which role it needs.
          page = browser.page(SHOP + address);
          assertThat(page.statusCode()).as(address).isIn(200, 403);
          assertThat(page.statusCode() == 200 || page.body().contains("This needs the role"))
              .as(page.body())
              .isTrue();
          assertHarmless(page);
        }
      }
    }
  }

  @Test
  void eventsForWhichNoDestinationWasFoundAreNotOverlooked() throws Exception {
    String destinations = administrator.page(SHOP + "destinations").body();
    assertThat(destinations)
        .contains("no destination was found", "missing-field", "some not resolved")
        .contains("{header.none}", "takes no events", "paused");
    assertThat(administrator.page(SHOP + "failures").body())
        .contains("the route's template needs what the event lacks", "Look and retry")
        .doesNotContain("no route<");
  }

  @Test
  void aDeclarationAsksForWhatItsBrokerHasAndSaysWhatANumberIs() throws Exception {
    assertThat(administrator.page(SHOP + "declare?destination=nowhere").body())
        .contains("as it would be declared:", "partitions: ", "name=\"partitions\"")
        .contains("breaks the order")
        .doesNotContain("name=\"queue\"");
    assertThat(administrator.page(SHOP + "declare?destination=orders").body())
        .contains("As it is:")
        .doesNotContain("would be");
  }

  @Test
  void onlyARemedyThatCanBeRunIsThereToCopy() throws Exception {
    String checks = administrator.page(SHOP + "checks").body();
    assertThat(checks)
        .containsPattern("<pre>./waybill destinations declare nowhere</pre><button")
        .contains("raise the replication factor to 3")
        .doesNotContainPattern("<pre>[^<]*raise the replication factor");
  }

  @Test
  void whatIsWrongBesideTheRelaysIsOnTheOverview() throws Exception {
    assertThat(administrator.page(SHOP + "overview").body()).contains("overview?part=elsewhere");
    assertThat(administrator.page(SHOP + "overview?part=elsewhere").body())
        .contains("no dead letters that wait");
  }

  @Test
  void whatIsRevealedIsShownAsText() throws Exception {
    HttpResponse<String> revealed =
        change("event?id=" + ApiOnPostgres.encoded(EVIL), "action", "reveal", "reason", EVIL);
    check("event", revealed);
    assertThat(revealed.body()).contains("colour", "&lt;script");
    assertThat(administrator.page(SHOP + "audit").body()).contains("REVEAL", "&lt;script");
  }
}

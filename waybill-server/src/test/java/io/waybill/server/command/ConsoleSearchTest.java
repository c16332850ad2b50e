package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

/** What leads on from a page: the search, the trace, the request of the API, and a file. */
@Tag("long")
class ConsoleSearchTest extends ApiOnPostgres {
  private static final String SHOP = "/console/outboxes/orders/";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String EVIL = "'; touch /tmp/x; echo \"$(id)\" `id` \\ !x <b>&#x";
  private static final Pattern COMMAND = Pattern.compile("<pre>(curl .*?)</pre>");

  private Browser browser(String user) throws Exception {
    Browser browser = new Browser(api.url());
    assertThat(browser.login(user).statusCode()).isEqualTo(303);
    return browser;
  }

  private static String found(Browser browser, String text) throws Exception {
    HttpResponse<String> answer = browser.page(SHOP + "find?q=" + encoded(text));
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(browser.page(SHOP + header(answer, "Location")).statusCode()).isEqualTo(200);
    return header(answer, "Location");
  }

  private void trace() throws Exception {
    sql(
        "update waybill_outbox set traceparent = '00-%s-00f067aa0ba902b7-01' where event_id in ('e1', 'e3')"
            .formatted(TRACE));
  }

  @Test
  void oneBoxFindsAnIdAKeyOrATrace() throws Exception {
    trace();
    Browser browser = browser("viewer");
    assertThat(browser.page(SHOP + "overview").body()).contains("action=\"find\"", "name=\"q\"");
    assertThat(found(browser, " e1 ")).isEqualTo("event?id=e1");
    assertThat(found(browser, "order/3")).isEqualTo("events?aggregateType=order&aggregateId=3");
    assertThat(found(browser, TRACE.toUpperCase(Locale.ROOT))).isEqualTo("events?traceId=" + TRACE);
    assertThat(found(browser, "none")).isEqualTo("events?eventId=none");
    assertThat(found(browser, EVIL)).startsWith("events?aggregateType=");
    assertThat(found(browser, "")).isEqualTo("events");
    String events = browser.page(SHOP + "events?traceId=" + TRACE).body();
    assertThat(events).contains("2 in all", ">e1<", ">e3<").doesNotContain(">e2<");
    assertThat(browser.page(SHOP + "events?traceId=x").body())
        .contains("traceId must have 32 hexadecimal digits");
  }

  @Test
  void aTraceIsFoundByRequestAndCommand() throws Exception {
    trace();
    assertThat(ids("events", "list", "--trace", TRACE)).containsExactly("e1", "e3");
    assertThat(run("events", "list", "--trace", "x").err())
        .contains("--trace must have 32 hexadecimal digits");
    JsonNode count =
        ApiServer.json(api.get("viewer", "/outboxes/orders/events/count?traceId=" + TRACE));
    assertThat(count.get("count").asInt()).isEqualTo(2);
  }

  @Test
  void anEventLeadsToItsTrace() throws Exception {
    trace();
    try (ApiServer traced =
        ApiServer.start(
            config(),
            users,
            Map.of("WAYBILL_CONSOLE_TRACEURL", "https://traces.example/t/{trace-id}?x=1&y"))) {
      Browser browser = new Browser(traced.url());
      browser.login("viewer");
      assertThat(browser.page(SHOP + "event?id=e1").body())
          .contains("href=\"https://traces.example/t/" + TRACE + "?x=1&amp;y\"")
          .contains("href=\"events?traceId=" + TRACE + "\"");
      assertThat(browser.page(SHOP + "event?id=e2").body()).doesNotContain("traces.example");
    }
    assertThat(browser("viewer").page(SHOP + "event?id=e1").body())
        .contains("href=\"events?traceId=" + TRACE + "\"")
        .doesNotContain("The trace itself");
  }

  /** The shell says what it would call. */
  private static List<String> arguments(String command) throws Exception {
    Process shell =
        new ProcessBuilder(
                "sh", "-c", "curl() { for each in \"$@\"; do echo \"$each\"; done; }; " + command)
            .redirectErrorStream(true)
            .start();
    List<String> lines = new String(shell.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(shell.waitFor()).isZero();
    return lines;
  }

  @Test
  void aPageHasTheRequestThatGivesTheSameAnswer() throws Exception {
    Browser browser = browser("viewer");
    for (String page :
        List.of(
            "events?state=parked&type=" + encoded(EVIL),
            "events?type=placed",
            "event?id=e1",
            "failures",
            "keys",
            "audit",
            "destinations",
            "jobs")) {
      String body = browser.page(SHOP + page).body();
      List<String> commands =
          COMMAND.matcher(body).results().map(each -> each.group(1)).distinct().toList();
      assertThat(commands).as(page).isNotEmpty();
      for (String command : commands) {
        List<String> arguments = arguments(HtmlUtils.htmlUnescape(command));
        assertThat(arguments).hasSize(3).startsWith("-H", "Authorization: Bearer ");
        HttpResponse<String> answer =
            api.get("viewer", arguments.get(2).replaceFirst("^/api/v1", ""));
        assertThat(answer.statusCode()).as(command).isEqualTo(200);
      }
    }
    assertThat(browser.page(SHOP + "events?type=placed").body())
        .contains("$WAYBILL_URL/api/v1/outboxes/orders/events/latest?type=placed&amp;limit=100")
        .doesNotContain("waybill-login");
  }

  private static List<JsonNode> lines(HttpResponse<String> file) {
    assertThat(file.statusCode()).as(file.body()).isEqualTo(200);
    assertThat(header(file, "Content-Type")).startsWith("application/x-ndjson");
    return file.body().lines().map(line -> ApiServer.JSON.readTree(line)).toList();
  }

  @Test
  void aListIsAFileWhoseLastLineSaysHowItEnds() throws Exception {
    Browser browser = browser("viewer");
    HttpResponse<String> file = browser.page(SHOP + "export?list=events&type=placed");
    assertThat(header(file, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"waybill-orders-events.ndjson\"");
    List<JsonNode> lines = lines(file);
    assertThat(lines.subList(0, 3))
        .extracting(each -> each.get("eventId").asString())
        .containsExactly("e3", "e2", "e1");
    assertThat(lines.get(3).get("items").asInt()).isEqualTo(3);
    assertThat(lines.get(3).get("next").isNull()).isTrue();
    assertThat(lines).hasSize(4);
    assertThat(file.body()).doesNotContain("colour", "{\\\"n\\\"");
    for (String list : List.of("failures", "keys", "audit", "dead-letters&source=orders")) {
      assertThat(lines(browser.page(SHOP + "export?list=" + list))).as(list).isNotEmpty();
    }
    assertThat(browser.page(SHOP + "export?list=failures&state=x").statusCode()).isEqualTo(400);
    assertThat(browser("elsewhere").page(SHOP + "export?list=events").statusCode()).isEqualTo(403);
    assertThat(browser.page(SHOP + "events").body()).contains("href=\"export?list=events\"");
  }

  @Test
  void aFileHasABoundAndSaysWhereItGoesOn() throws Exception {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        select 'many' || n, 'many', 'order', 'm' || n, '{}' from generate_series(1, 10003) n""");
    Browser browser = browser("viewer");
    List<JsonNode> lines = lines(browser.page(SHOP + "export?list=events&type=many"));
    assertThat(lines).hasSize(10_001);
    JsonNode end = lines.get(10_000);
    assertThat(end.get("items").asInt()).isEqualTo(10_000);
    List<JsonNode> rest =
        lines(
            browser.page(
                SHOP
                    + "export?list=events&type=many&after="
                    + encoded(end.get("next").asString())));
    assertThat(rest).hasSize(4);
    assertThat(rest.get(2).get("eventId").asString()).isEqualTo("many1");
    assertThat(rest.get(3).get("next").isNull()).isTrue();
  }
}

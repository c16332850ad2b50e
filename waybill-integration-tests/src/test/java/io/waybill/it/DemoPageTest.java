package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Breaks the demo by the buttons of its page, as a person does. */
@Tag("server")
@Tag("long")
class DemoPageTest {
  @TempDir private Path folder;

  @Test
  void whatIsBrokenByButtonsIsRepairedByWhatTheConsoleAsksFor() throws Exception {
    try (DemoRun demo = new DemoRun(folder, "--wait", "300", "--rate", "50", "--json")) {
      DemoVisitor visitor = DemoVisitor.of(demo);
      oneClickLeadsIntoTheConsole(visitor);
      nobodyPressesWithoutTheAddress(visitor);
      demo.awaitLineWith("* starting the order service: 50 events a second");

      visitor.press("make", "poison");
      JsonNode poison = visitor.awaitParked("record-too-large", 1);
      visitor.press("make", "misroute");
      JsonNode misrouted = visitor.awaitParked("missing-field", 25);
      visitor.press("make", "topic");
      visitor.awaitDestination(true);

      visitor.change(
          "/destinations/declare", Map.of("destination", "orders", "reason", "it was deleted"));
      visitor.awaitDestination(false);
      visitor.run(Map.of("verb", "skip", "eventId", poison.at("/sample/eventId").asString()));
      visitor.press("mend", "misroute");
      visitor.run(Map.of("verb", "retry", "group", misrouted.path("id").asString()));
      visitor.form(visitor.page() + "end", "");

      assertThat(demo.awaitEnd()).as("%s", demo.lines()).isZero();
      assertThat(demo.lines())
          .contains("  skipped                    0  of those that were committed")
          .contains("  poison                     1  in no ledger; 0 of them not decided")
          .anyMatch(line -> line.endsWith("SKIP by demo: seen in the demo"))
          .anyMatch(line -> line.startsWith("OK: every committed event arrived, none"))
          .noneMatch(line -> line.contains("left over"));
      reconciles(demo, 3);
    }
  }

  private static void oneClickLeadsIntoTheConsole(DemoVisitor visitor) throws Exception {
    HttpResponse<String> page = visitor.get(visitor.page());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe");
    HttpResponse<String> click = visitor.get(visitor.page() + "console?overview");
    assertThat(click.statusCode()).isEqualTo(303);
    String cookie = click.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly");
    HttpResponse<String> console =
        visitor.get(
            click.headers().firstValue("Location").orElseThrow(),
            "Cookie",
            cookie.substring(0, cookie.indexOf(';')));
    assertThat(console.statusCode()).isEqualTo(200);
    assertThat(console.body()).contains("<title>Overview · orders · Waybill</title>");
  }

  private static void nobodyPressesWithoutTheAddress(DemoVisitor visitor) throws Exception {
    String guessed = visitor.page().replaceAll("/[^/]+/$", "/guessed/");
    assertThat(visitor.get(guessed).statusCode()).isEqualTo(404);
    assertThat(visitor.form(guessed + "press", "make=broker")).isEqualTo(404);
  }

  @Test
  void theEndMendsWhatIsStillBroken() throws Exception {
    try (DemoRun demo = new DemoRun(folder, "--wait", "300", "--rate", "50", "--json")) {
      DemoVisitor visitor = DemoVisitor.of(demo);
      visitor.get(visitor.page());
      for (String key : List.of("poison", "misroute", "topic", "relay", "broker")) {
        visitor.press("make", key);
      }

      demo.signal("INT");

      assertThat(demo.awaitEnd()).isZero();
      assertThat(demo.lines())
          .anyMatch(line -> line.endsWith("broker is back"))
          .anyMatch(line -> line.endsWith("SKIP by the demo: the end of the demo"));
      reconciles(demo, 5);
    }
  }

  @Test
  void aQueueThatIsFullFlowsOnceItsConsumerReads() throws Exception {
    try (DemoRun demo =
        new DemoRun(folder, "--broker", "rabbitmq", "--wait", "300", "--rate", "200", "--json")) {
      DemoVisitor visitor = DemoVisitor.of(demo);
      visitor.get(visitor.page());
      visitor.press("make", "poison");
      visitor.awaitParked("message-too-large", 1);

      visitor.press("make", "queue");
      visitor.awaitDestination(true);
      visitor.press("mend", "queue");
      visitor.awaitDestination(false);
      visitor.form(visitor.page() + "end", "");

      assertThat(demo.awaitEnd()).isZero();
      reconciles(demo, 2);
    }
  }

  private static void reconciles(DemoRun demo, int faults) throws Exception {
    List<String> lines = demo.lines();
    JsonNode result = JsonMapper.shared().readTree(lines.get(lines.size() - 1));
    assertThat(result.path("committed").asInt()).isPositive();
    assertThat(result.path("delivered").asInt()).isEqualTo(result.path("committed").asInt());
    assertThat(result.path("lost").asInt()).isZero();
    assertThat(result.path("ghosts").asInt()).isZero();
    assertThat(result.path("orderViolations").asInt()).isZero();
    assertThat(result.path("faults").asInt()).isEqualTo(faults);
  }
}

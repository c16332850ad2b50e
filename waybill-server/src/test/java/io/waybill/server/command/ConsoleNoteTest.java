package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What one shift leaves to the next. */
class ConsoleNoteTest extends ParkedGroup {
  private static final String SHOP = "/console/outboxes/orders/";
  private static final String EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

  @TempDir private Path home;
  private ApiServer api;

  @BeforeEach
  void start() throws Exception {
    Path users = home.resolve("users");
    Files.write(
        users,
        List.of(
            ApiOnPostgres.user("viewer", "viewer"), ApiOnPostgres.user("operator", "operator")));
    api = ApiServer.start(config(), users);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Browser browser(String user) throws Exception {
    Browser browser = new Browser(api.url());
    browser.login(user);
    return browser;
  }

  private static HttpResponse<String> noted(Browser browser, String group, String text)
      throws Exception {
    String token = browser.hidden(SHOP + "failures");
    return browser.form(
        SHOP + "failures?state=parked", Map.of("_csrf", token, "group", group, "text", text));
  }

  private JsonNode first() throws Exception {
    return ApiServer.json(api.get("viewer", "/outboxes/orders/failures")).get("items").get(0);
  }

  @Test
  void aNoteIsSeenByTheNextShift() throws Exception {
    Browser operator = browser("operator");
    HttpResponse<String> kept = noted(operator, GROUP, "waits for ticket 7 " + EVIL);
    assertThat(header(kept, "Location")).isEqualTo("failures?state=parked");
    Browser viewer = browser("viewer");
    for (String page : List.of("failures", "overview")) {
      assertThat(viewer.page(SHOP + page).body())
          .contains("operator", "waits for ticket 7 &lt;script")
          .doesNotContain("<script>alert", "<img");
    }
    assertThat(viewer.page(SHOP + "failures").body()).contains("needs the role WAYBILL_OPERATOR");
    assertThat(noted(viewer, GROUP, "x").statusCode()).isEqualTo(403);
    JsonNode note = first().get("note");
    assertThat(note.get("by").asString()).isEqualTo("operator");
    assertThat(note.get("at").asString()).startsWith("20");

    assertThat(noted(operator, GROUP, "x".repeat(501)).statusCode()).isEqualTo(400);
    assertThat(noted(operator, "parked-" + "ab".repeat(16), "x").statusCode()).isEqualTo(404);
    assertThat(noted(operator, "evil", "x").statusCode()).isEqualTo(400);
    assertThat(count("waybill_note")).isEqualTo(1);
    noted(operator, GROUP, "");
    assertThat(first().get("note").isNull()).isTrue();
    assertThat(count("waybill_note")).isZero();
  }
}

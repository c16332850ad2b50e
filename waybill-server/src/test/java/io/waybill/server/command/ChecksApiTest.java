package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The doctor, live: by the API and in the console. */
@Tag("long")
class ChecksApiTest extends ApiOnPostgres {
  private static final String CHECKS = "/outboxes/orders/checks";
  private static final String PAGE = "/console/outboxes/orders/checks";

  private static JsonNode checks(ApiServer of) throws Exception {
    HttpResponse<String> answer = of.get("viewer", CHECKS);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private static List<String> texts(JsonNode checks, String member) {
    return checks.get("items").valueStream().map(each -> each.get(member).asString()).toList();
  }

  private static String page(ApiServer of) throws Exception {
    Browser browser = new Browser(of.url());
    browser.login("viewer");
    HttpResponse<String> page = browser.page(PAGE);
    assertThat(page.statusCode()).isEqualTo(200);
    return page.body();
  }

  @Test
  void theyAreThoseOfTheDoctorTheWorstFirst() throws Exception {
    sql("create table other as select 1 as one; alter table waybill_held set unlogged");
    JsonNode found = checks(api);
    assertThat(texts(found, "check"))
        .isEqualTo(run("doctor", "--json").jsonTexts("check"))
        .startsWith("postgresql-table-unlogged")
        .contains("kafka-topic-missing");
    assertThat(texts(found, "severity")).isSorted();
    assertThat(found.get("relay").asBoolean()).isFalse();
    assertThat(page(api))
        .contains(
            "waybill_held",
            "No relay starts; check postgresql-table-unlogged",
            "alter table",
            "runs no relay");

    sql("alter table waybill_held set logged");
    assertThat(checks(api)).as("for half a minute").isEqualTo(found);
  }

  /** Whose look takes its time has company: all get the same one. */
  @Test
  void aBrokerThatIsAwayIsAFinding() throws Exception {
    try (ApiServer away =
        ApiServer.start(
            CommandRun.write(
                home(), yaml("postgres").replaceAll("(bootstrap-servers: ).*", "$1[127.0.0.1:9]")),
            users)) {
      List<CompletableFuture<HttpResponse<String>>> all =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> get(away))).limit(2).toList();
      for (CompletableFuture<HttpResponse<String>> each : all) {
        assertThat(each.join().statusCode()).as(each.join().body()).isIn(200, 503);
      }
      JsonNode found = checks(away);
      assertThat(texts(found, "check")).contains("kafka-silent");
      assertThat(page(away)).contains("check kafka-silent", "the broker does not answer");
      assertThat(ApiServer.json(away.get("viewer", "/outboxes/orders")).get("counts")).isNotNull();
    }
  }

  private static HttpResponse<String> get(ApiServer of) {
    try {
      return of.get("viewer", CHECKS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whereTheDatabaseIsAwayThereAreNone() throws Exception {
    try (ApiServer away =
        ApiServer.start(
            config(),
            users,
            Map.of("WAYBILL_OUTBOXES_ORDERS_DATABASE_USERNAME", "nobody_of_this_name"))) {
      assertThat(away.get("viewer", CHECKS).statusCode()).isEqualTo(503);
    }
  }
}

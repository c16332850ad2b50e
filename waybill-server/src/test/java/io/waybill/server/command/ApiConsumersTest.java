package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Consumers by the API while their broker is away. */
@Tag("long")
class ApiConsumersTest extends CommandsOnPostgres {
  private static final String SHOP = "/outboxes/orders";

  @TempDir private Path home;
  private ApiServer api;

  @BeforeEach
  void start() throws Exception {
    Path users =
        Files.write(home.resolve("users"), List.of(ApiOnPostgres.user("viewer", "viewer")));
    api = ApiServer.start(config(), users);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void theDatabaseTellsWhatItKnowsWithoutTheBroker() throws Exception {
    HttpResponse<String> none = api.get("viewer", SHOP + "/consumers");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).contains("schema apply --inbox");
    assertThat(run("schema", "apply", "--inbox").code()).isEqualTo(ExitCode.OK);
    for (String consumer : List.of("billing", "mail", "stock")) {
      sql("insert into waybill_inbox_lane values ('%s', 'orders-0', 's', 7)".formatted(consumer));
    }

    JsonNode page = ApiServer.json(api.get("viewer", SHOP + "/consumers?limit=2"));

    assertThat(page.get("problem").asString()).contains("Kafka does not say");
    assertThat(page.get("next").asString()).isEqualTo("mail");
    JsonNode billing = page.get("items").get(0);
    assertThat(billing.get("lanes").asInt()).isEqualTo(1);
    assertThat(billing.at("/sources/0/source").asString()).isEqualTo("orders");
    assertThat(billing.at("/sources/0/lag").isNull()).isTrue();
    assertThat(billing.at("/sources/0/deadLetters").isNull()).isTrue();
    JsonNode rest = ApiServer.json(api.get("viewer", SHOP + "/consumers?limit=2&after=mail"));
    assertThat(rest.get("items")).hasSize(1);
    assertThat(rest.get("next").isNull()).isTrue();

    HttpResponse<String> letters = api.get("viewer", SHOP + "/dead-letters?source=orders");
    assertThat(letters.statusCode()).isEqualTo(503);
    assertThat(letters.body()).contains("Broker unavailable");
  }
}

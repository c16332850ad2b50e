package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("server")
@Tag("long")
class KafkaDeadLetterApiTest extends DeadLetterApiContract {
  private static KafkaDeadLetterBroker broker;

  @BeforeAll
  static void launch() {
    broker = new KafkaDeadLetterBroker();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  DeadLetterBroker broker() {
    return broker;
  }

  /** One partition after the other: a page that ends within one goes on there. */
  @Test
  void pagesGoOnOverPartitions() throws Exception {
    broker.drop(source + ".dlt");
    broker.create(source + ".dlt", 3);
    for (int i = 10; i < 30; i++) {
      bury(PAYMENT, "e" + i, "placed", Integer.toString(i), json("e" + i), Duration.ofMinutes(1));
    }
    List<String> pages = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = page("&limit=3" + next);
      page.get("items").forEach(each -> pages.add(each.get("place").asString()));
      JsonNode after = page.get("next");
      next = after.isNull() ? "" : "&after=" + ApiOnPostgres.encoded(after.asString());
    } while (!next.isEmpty());
    assertThat(pages).hasSize(20).doesNotHaveDuplicates().isEqualTo(places(page("")));
    assertThat(pages.stream().map(place -> place.replaceAll("@.*", "")).distinct())
        .containsExactly(source + ".dlt-0", source + ".dlt-1", source + ".dlt-2");
  }

  private JsonNode page(String query) throws Exception {
    return ApiServer.json(look(query));
  }

  private static List<String> places(JsonNode page) {
    return page.get("items").valueStream().map(each -> each.get("place").asString()).toList();
  }
}

package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class RabbitDeadLetterApiTest extends DeadLetterApiContract {
  private static RabbitDeadLetterBroker broker;

  @BeforeAll
  static void launch() throws Exception {
    broker = new RabbitDeadLetterBroker();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  DeadLetterBroker broker() {
    return broker;
  }

  @Test
  void aQueueThatDropsLettersAfterSomeLooksIsNotLookedAt() throws Exception {
    broker.drop(source + ".dlt");
    broker.create(source + ".dlt", Map.of("x-queue-type", "quorum", "x-delivery-limit", 3));
    bury();
    for (int time = 1; time <= 6; time++) {
      HttpResponse<String> refused = look("");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
      assertThat(refused.body()).contains("delivery limit of 3");
    }
    assertThat(ids("list", "--despite-limit")).containsExactly("e1", "e2", "e3", "e4");
  }
}

package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Inbox;
import io.waybill.server.terminal.ExitCode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class RabbitDeadLetterRedriveTest extends DeadLetterRedriveContract {
  private static DeadLetterBroker broker;

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

  /** A queue has its letters no more once they were sent again. */
  @Test
  @Tag("long")
  void whatAConsumerGaveUpBeforeItWasRenamedIsNotLost() throws Exception {
    refused.add("payment e1");
    try (Inbox old = inbox("payment")) {
      send("e1", "e2");
      until(() -> ids("list").equals(List.of("e1")) && effects("payment").size() == 1);
      assertThat(old.stop(Duration.ofSeconds(20))).isTrue();
    }
    try (Inbox renamed = inbox("billing")) {
      assertThat(redrive("e1").json().get("failure").asString())
          .startsWith("e1: redriven-for-another");
      until(() -> ids("list", "--consumer", "billing").equals(List.of("e1")));
      assertThat(effects("billing")).isEmpty();
      assertThat(run("dlt", "list", source).out())
          .contains("redriven-for-another", "redriven for payment");

      assertThat(redrive("e1").code()).isEqualTo(ExitCode.OK);
      until(() -> effects("billing").equals(List.of("e1")));
      assertThat(ids("list")).isEmpty();
      assertThat(renamed.problem()).isEmpty();
    }
  }
}

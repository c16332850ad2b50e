package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class RabbitDeadLetterCommandsTest extends DeadLetterCommandsContract {
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
  void aQueueThatDropsLettersAfterSomeLooksIsReadOnlyWhenAskedTo() throws Exception {
    broker.drop(source + ".dlt");
    broker.create(source + ".dlt", Map.of("x-queue-type", "quorum", "x-delivery-limit", 3));
    bury();
    for (int time = 1; time <= 6; time++) {
      CommandRun refused = redrive("--consumer", "payment");
      assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.FINDINGS);
      assertThat(refused.err()).contains("delivery limit of 3", "--despite-limit");
    }
    assertThat(run("dlt", "list", source).err()).contains("delivery limit of 3");
    assertThat(ids("list", "--despite-limit")).containsExactly("e1", "e2", "e3", "e4");
    assertThat(redrive("--consumer", "payment", "--despite-limit").code()).isEqualTo(ExitCode.OK);
    assertThat(broker.come(source, 3))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactly("e1", "e2", "e4");
  }

  @Test
  void aRedriveThatOutlastsTheBrokersTimeoutGoesOnAndSendsEachLetterOnce() throws Exception {
    for (int i = 10; i < 20; i++) {
      bury("e" + i, Duration.ofMinutes(60 - i));
    }
    timeout(1_000, 500);
    CommandRun done;
    try {
      done = redrive("--type", "placed", "--rate", "1", "--canary", "0");
    } finally {
      timeout(1_800_000, 60_000);
    }
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.json().get("redriven").asInt()).isEqualTo(10);
    assertThat(broker.come(source, 10))
        .extracting(DeadLetterBroker.Came::id)
        .containsExactlyElementsOf(IntStream.range(10, 20).mapToObj(i -> "e" + i).toList());
    assertThat(broker.count(source)).isEqualTo(0);
    assertThat(ids("list")).isEmpty();
  }

  /** For channels that are opened from now on. */
  private static void timeout(int consumerMillis, int lookMillis) {
    broker.ctl(
        "eval",
        "application:set_env(rabbit, consumer_timeout, %d), application:set_env(rabbit, channel_tick_interval, %d)."
            .formatted(consumerMillis, lookMillis));
  }
}

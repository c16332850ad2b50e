package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.ProcessGuard;
import io.waybill.testkit.PublisherRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
@Tag("long")
class KafkaClockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration BACK = Duration.ofMinutes(-10);

  @TempDir private Path folder;

  @Test
  void aClockThatIsSetBackWhileKafkaIsAwayDelaysNothing() throws Exception {
    Clocks clocks = new Clocks(folder);
    assumeThat(clocks.missing()).as("libfaketime").isEmpty();
    try (KafkaServer kafka = KafkaServer.launch();
        ProcessGuard guard = new ProcessGuard(Files.createDirectory(folder.resolve("guarded")))) {
      kafka.createTopic("clocked", 1, Map.of());
      Path report = folder.resolve("report");
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              Sending.class.getName(),
              kafka.bootstrapServers(),
              report.toString());
      guard.run("sending", clocks.environment("sending"), command);
      awaitState(report, "confirmed", 0);
      kafka.kill();
      awaitState(report, "unknown", 0);
      clocks.shift("sending", BACK);
      awaitState(report, "unknown", BACK.toMillis());
      kafka.start();
      awaitState(report, "confirmed", BACK.toMillis());
    }
  }

  /** Until the last outcome is such, and the process has such an offset. */
  private static void awaitState(Path report, String state, long offset) {
    Awaitility.await(state)
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(report).exists();
              String[] words = Files.readString(report).split(" ", -1);
              assertThat(words[0]).isEqualTo(state);
              assertThat(Long.parseLong(words[1]) - System.currentTimeMillis())
                  .isCloseTo(offset, within(PATIENCE.toMillis()));
            });
  }

  /** Sends a message at a time and writes what has become of the last one, and its time of day. */
  static final class Sending {
    private Sending() {}

    public static void main(String[] args) throws Exception {
      PublisherRecorder recorder = new PublisherRecorder();
      KafkaPublisher publisher =
          new KafkaPublisher(
              KafkaPublisherConfig.builder(args[0])
                  .deliveryTimeout(Duration.ofSeconds(3))
                  .requestTimeout(Duration.ofSeconds(1))
                  .build());
      publisher.start(recorder);
      for (long id = 1; ; id++) {
        long sent = id;
        byte[] body = {1};
        Destination to = Destination.topic("clocked");
        publisher.send(
            new Outgoing(id, to, body, body, "text/plain", "e" + id, "Tested", id, List.of()));
        publisher.flush();
        Awaitility.await().forever().until(() -> recorder.outcome(sent) != null);
        boolean confirmed = recorder.outcome(id) instanceof Confirmation.Confirmed;
        Path draft = Path.of(args[1] + ".draft");
        String state = confirmed ? "confirmed" : "unknown";
        Files.writeString(draft, state + " " + System.currentTimeMillis());
        Files.move(draft, Path.of(args[1]), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }
}

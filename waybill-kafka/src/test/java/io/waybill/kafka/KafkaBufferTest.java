package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More partitions than the client's buffer has batches: no send waits for room. */
@Tag("long")
class KafkaBufferTest {
  /** A busy machine may make some calls as slow as that, but not all that find no room. */
  private static final long SLOW_NANOS = Duration.ofMillis(15).toNanos();

  private static final int FEW = 40;
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
    // Its files are as small as can be.
    server.createTopic("wide", 2_000, Map.of("segment.index.bytes", "1024"));
    server.createTopic("wider", 100, Map.of("segment.index.bytes", "1024"));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static KafkaPublisherConfig.Builder config() {
    return KafkaPublisherConfig.builder(server.bootstrapServers());
  }

  /** It has room for sixteen batches. */
  private static KafkaPublisherConfig.Builder smallBuffer() {
    return config()
        .property("buffer.memory", Integer.toString(1024 * 1024))
        .property("batch.size", Integer.toString(64 * 1024));
  }

  /** One to each partition; says how many calls were kept waiting. */
  private static int burst(PublisherDriver driver, String topic, int partitions, List<Long> sends) {
    int slow = 0;
    for (int partition = 0; partition < partitions; partition++) {
      long start = System.nanoTime();
      sends.add(driver.send(new Destination(topic, "", partition), "k" + partition, new byte[9]));
      slow += System.nanoTime() - start > SLOW_NANOS ? 1 : 0;
    }
    return slow;
  }

  @Tag("long")
  @Test
  void aBrokerThatStandsStillKeepsNoSendWaiting() {
    try (PublisherDriver driver = new PublisherDriver(config())) {
      driver.untilConfirmed("wide", "k", "first");
      server.freeze();
      List<Long> sends = new ArrayList<>();
      int kept;
      try {
        kept = burst(driver, "wide", 2_000, sends);
        driver.flush();
      } finally {
        server.thaw();
      }
      assertThat(kept).as("slow calls of 2,000").isLessThan(FEW);
      sends.forEach(driver::outcome);
      assertThat(driver.recorder.repeated()).isEmpty();
    }
  }

  @Test
  void whatFindsTheBufferFullGoesOutAsSoonAsThereIsRoom() {
    try (PublisherDriver driver = new PublisherDriver(smallBuffer())) {
      driver.untilConfirmed("wider", "k", "first");
      List<Long> sends = new ArrayList<>();
      int kept = burst(driver, "wider", 100, sends);
      assertThat(kept).as("slow calls of 100").isLessThan(FEW);
      sends.forEach(
          id -> assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class));
    }
  }

  @Tag("long")
  @Test
  void whatFindsNoRoomInTimeWasNotSent() {
    try (PublisherDriver driver = new PublisherDriver(smallBuffer())) {
      driver.untilConfirmed("wider", "k", "first");
      server.freeze();
      List<Long> sends = new ArrayList<>();
      try {
        int kept = burst(driver, "wider", 100, sends);
        assertThat(kept).as("slow calls of 100").isLessThan(FEW);
        long last = sends.get(99);
        long start = System.nanoTime();
        assertThat(driver.outcome(last))
            .isInstanceOfSatisfying(
                Confirmation.NotSent.class, n -> assertThat(n.reason()).isEqualTo("buffer-full"));
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
            .as("before the time of a delivery is over")
            .isLessThan(3_000);
      } finally {
        server.thaw();
      }
      sends.forEach(driver::outcome);
      driver.untilConfirmed("wider", "k", "after");
    }
  }
}

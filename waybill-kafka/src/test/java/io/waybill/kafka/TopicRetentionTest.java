package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.proof.server.KafkaServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class TopicRetentionTest {
  private final KafkaServer server = SubscriberBroker.SERVER;

  @Test
  void aSubscriberTellsHowLongItsTopicsKeepMessages() {
    server.createTopic(
        "kept-an-hour", 1, Map.of("retention.ms", "3600000", "segment.ms", "600000"));
    server.createTopic("kept-as-usual", 1, Map.of());
    server.createTopic("kept", 1, Map.of("retention.ms", "-1"));
    server.createTopic("compacted", 1, Map.of("cleanup.policy", "compact"));
    List<String> topics = List.of("kept-an-hour", "kept-as-usual", "kept", "compacted", "missing");
    Duration endless = ChronoUnit.FOREVER.getDuration();

    assertThat(retention(server.bootstrapServers(), topics))
        .as("what can't be seen is left out")
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "kept-an-hour",
                Duration.ofMinutes(70),
                "kept-as-usual",
                Duration.ofDays(14),
                "kept",
                endless,
                "compacted",
                endless));
  }

  @Test
  void aBrokerThatIsNotThereIsToldApartFromOneThatSaysNothing() {
    assertThatThrownBy(() -> retention("127.0.0.1:1", List.of("orders")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("[orders]");
  }

  private static Map<String, Duration> retention(String servers, List<String> topics) {
    try (KafkaSubscriber subscriber =
        new KafkaSubscriber(KafkaContractSource.config(servers, topics).build())) {
      return subscriber.retention();
    }
  }
}

package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.proof.server.KafkaRetention;
import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of a record, on a broker that looks for old ones all the time. */
class KafkaRecordTimeTest {
  private static final Map<String, String> KEEPS_AN_HOUR = Map.of("retention.ms", "3600000");
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch("PLAINTEXT", KafkaRetention.settings());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void anEventThatIsSentLateIsKeptAsLongAsAFreshOne() {
    server.createTopic("late", 1, KEEPS_AN_HOUR);
    try (PublisherDriver driver =
        new PublisherDriver(KafkaPublisherConfig.builder(server.bootstrapServers()))) {
      driver.untilConfirmed("late", "k", "eight days");
    }
    KafkaRetention.awaitLook(server, "late-look");
    assertThat(KafkaContractBroker.read(server, "late")).hasSize(1);
  }

  @Test
  void aRouteMayKeepTheTimeOfTheCreation() {
    server.createTopic("created", 1, Map.of("retention.ms", "-1"));
    Destination to = new Destination("created", "", null, RecordTime.CREATED);
    try (PublisherDriver driver =
        new PublisherDriver(KafkaPublisherConfig.builder(server.bootstrapServers()))) {
      long id = driver.send(to, "k", new byte[1]);
      assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class);
      assertThat(KafkaContractBroker.read(server, "created"))
          .singleElement()
          .satisfies(got -> assertThat(got.timestampMillis()).isEqualTo(id));
    }
  }

  /** One in a batch is refused by another word than several; neither is the message's fault. */
  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void aTimeThatTheBrokerDoesNotTakeIsTheTopicsMatter(int messages) {
    String topic = "ahead-" + messages;
    server.createTopic(topic, 1, Map.of());
    Destination to = new Destination(topic, "", null, RecordTime.CREATED);
    long ahead = System.currentTimeMillis() + Duration.ofHours(9).toMillis();
    List<Long> sends = new ArrayList<>();
    try (PublisherDriver driver =
        new PublisherDriver(KafkaPublisherConfig.builder(server.bootstrapServers()))) {
      driver.untilConfirmed(topic, "k", "now");
      for (int i = 0; i < messages; i++) {
        sends.add(driver.send(to, "k" + i, new byte[1], ahead));
      }
      assertThat(sends)
          .extracting(driver::outcome)
          .hasOnlyElementsOfTypes(Confirmation.Refused.class, Confirmation.Unknown.class)
          .hasAtLeastOneElementOfType(Confirmation.Refused.class);
      driver.untilConfirmed(topic, "k", "later");
    }
  }
}

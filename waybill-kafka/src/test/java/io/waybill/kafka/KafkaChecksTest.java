package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.Finding;
import io.waybill.testkit.KafkaServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaChecksTest {
  private static final int KILOBYTE = 1_000;
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static List<Finding> check(String topic, long maxBytes) throws InterruptedException {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder(server.bootstrapServers()).build();
    return KafkaChecks.run(config, List.of(topic), maxBytes);
  }

  @ParameterizedTest
  @CsvSource({
    "unclean.leader.election.enable, true",
    "message.timestamp.type, LogAppendTime",
    "message.timestamp.before.max.ms, 3600000",
    "max.message.bytes, 900",
    "cleanup.policy, compact",
  })
  void warnsOfATopicSettingNamingItAndTheRemedy(String setting, String value) throws Exception {
    String topic = "check-" + setting.replace('.', '-');
    server.createTopic(topic, 1, Map.of(setting, value));
    assertThat(check(topic, KILOBYTE))
        .allMatch(finding -> finding.severity() == Finding.Severity.WARN)
        .allMatch(finding -> finding.subject().equals("topic " + topic))
        .anyMatch(finding -> finding.detail().startsWith("replication factor: "))
        .anySatisfy(
            finding -> {
              assertThat(finding.detail()).startsWith(setting + ": ").contains(value);
              assertThat(finding.remedy()).contains(setting + "=");
            })
        .hasSize(2);
  }

  @Test
  void warnsOfAMissingTopicUnlessItWillBeCreated() throws Exception {
    assertThat(check("nowhere", KILOBYTE))
        .singleElement()
        .satisfies(f -> assertThat(f.detail()).startsWith("the topic does not exist"));
    KafkaPublisherConfig creating =
        KafkaPublisherConfig.builder(server.bootstrapServers()).createTopics(1, 1).build();
    assertThat(KafkaChecks.run(creating, List.of("nowhere"), KILOBYTE)).isEmpty();
  }

  @Test
  void warnsWhenTheLargestEventDoesNotFitARequest() throws Exception {
    KafkaPublisherConfig config =
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .property("max.request.size", "100000")
            .build();
    assertThat(KafkaChecks.run(config, List.of(), 200_000))
        .singleElement()
        .satisfies(f -> assertThat(f.detail()).startsWith("max.request.size: "));
  }

  @Test
  void warnsInTimeOfABrokerThatDoesNotAnswer() throws Exception {
    // One refuses connections, one takes them and says nothing.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (int port : new int[] {9, silent.getLocalPort()}) {
        KafkaPublisherConfig config = KafkaPublisherConfig.builder("127.0.0.1:" + port).build();
        long start = System.nanoTime();
        assertThat(KafkaChecks.run(config, List.of("any"), KILOBYTE))
            .singleElement()
            .satisfies(f -> assertThat(f.detail()).startsWith("the broker does not answer"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
      }
    }
  }

  @Test
  void warnsOfAnUnencryptedConnectionToAnotherMachine() throws Exception {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder("broker.invalid:9092").build();
    assertThat(KafkaChecks.run(config, List.of(), KILOBYTE))
        .extracting(Finding::detail)
        .anyMatch(detail -> detail.startsWith("security.protocol: "));
  }
}

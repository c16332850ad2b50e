package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the publisher's clients get for the partitions in use. */
class ClientPropertiesTest {
  private static KafkaPublisherConfig.Builder config() {
    return KafkaPublisherConfig.builder("127.0.0.1:9092");
  }

  private static Map<String, Object> client(KafkaPublisherConfig.Builder config, int partitions) {
    KafkaPublisherConfig built = config.build();
    return ClientProperties.producer(built, ClientProperties.batchBytes(built, partitions));
  }

  @Test
  void batchesShareTheBufferAsLongAsEachPartitionHasOne() {
    assertThat(client(config(), 8))
        .containsEntry("batch.size", "262144")
        .containsEntry("compression.type", "lz4");
    assertThat(client(config(), 512))
        .containsEntry("batch.size", "131072")
        .containsEntry("compression.type", "lz4");
  }

  @Test
  void batchesOfMorePartitionsAreSmallAndNotCompressed() {
    assertThat(client(config(), 2_000))
        .containsEntry("batch.size", "16384")
        .containsEntry("compression.type", "none");
  }

  @Test
  void whatTheUserSetsStays() {
    assertThat(client(config().property("compression.type", "zstd"), 2_000))
        .containsEntry("batch.size", "131072")
        .containsEntry("compression.type", "zstd");
    assertThat(client(config().property("batch.size", "4096"), 2_000))
        .containsEntry("batch.size", "4096")
        .containsEntry("compression.type", "lz4");
  }

  @Test
  void anAdoptedTablesEventsAreCompressedOnlyIfTheSettingsSaySo() {
    KafkaBroker plain = KafkaBroker.of(config().build()).forAdoptedTable();
    assertThat(ClientProperties.producer(plain.config())).containsEntry("compression.type", "none");
    KafkaBroker chosen = KafkaBroker.of(config().property("compression.type", "lz4").build());
    assertThat(chosen.forAdoptedTable()).isSameAs(chosen);
  }

  /** Nothing sets 130 KB aside for their compression. */
  @Test
  void batchesThatTheSettingsDoNotCompressMayBeSmall() {
    assertThat(client(config().property("compression.type", "none"), 512))
        .containsEntry("batch.size", "32768")
        .containsEntry("compression.type", "none");
    assertThat(client(config().property("compression.type", "none"), 8))
        .containsEntry("batch.size", "262144");
  }

  /** What fits only when it is compressed goes through a client of its own. */
  @Test
  void theClientOfLargeMessagesCompresses() {
    KafkaPublisherConfig config = config().build();
    int batch = ClientProperties.batchBytes(config, 2_000);
    assertThat(
            ClientProperties.producer(config, ClientProperties.compressedBatchBytes(config, batch)))
        .containsEntry("batch.size", "131072")
        .containsEntry("compression.type", "lz4");
  }

  /** Where all processors are busy, an answer is worked on for so long. */
  @Tag("server")
  @Test
  void aWarmUpHasTimeToLearnItsTopic() {
    try (KafkaServer server = KafkaServer.launch();
        Proxy proxy = Proxy.start(Protocol.KAFKA, server.proxiedPort(), server.proxyPort())) {
      server.createTopic("warm-up", 1, Map.of());
      proxy.add(Toxic.latency(Duration.ofMillis(600)));
      Map<String, Object> properties =
          ClientProperties.warmUp(config().build(), "127.0.0.1:" + server.proxyPort());
      try (KafkaProducer<byte[], byte[]> client = new KafkaProducer<>(properties)) {
        assertThat(client.partitionsFor("warm-up")).hasSize(1);
      }
    }
  }

  @Test
  void aWarmUpHasTheCompressionAndConnectsToItsServerAlone() {
    KafkaPublisherConfig config =
        config()
            .property("compression.type", "zstd")
            .property("client.id", "orders")
            .property("batch.size", "1000000")
            .property("max.request.size", "100")
            .property("security.protocol", "SASL_SSL")
            .property("sasl.mechanism", "PLAIN")
            .property(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " username=\"u\" password=\"p\";")
            .build();
    assertThat(ClientProperties.warmUp(config, "127.0.0.1:1"))
        .containsEntry("bootstrap.servers", "127.0.0.1:1")
        .containsEntry("batch.size", "16384")
        .containsEntry("client.id", "waybill-warm-up")
        .containsEntry("compression.type", "zstd")
        .containsEntry("max.request.size", "4194304")
        .containsEntry("enable.idempotence", "true")
        .doesNotContainKeys("security.protocol", "sasl.mechanism", "sasl.jaas.config");
  }
}

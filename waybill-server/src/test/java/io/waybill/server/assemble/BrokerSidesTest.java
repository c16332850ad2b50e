package io.waybill.server.assemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.StandardPartitioner;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTls;
import io.waybill.server.config.ConfigLoader;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;
import io.waybill.server.config.Secret;
import io.waybill.server.config.TlsConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the configuration says reaches the broker clients, and no secret their texts. */
class BrokerSidesTest {
  private static final String CANARY = "c4nary\"\\s3cret";

  @Test
  void kafkaIsPlainWithoutTlsAndLogin() {
    KafkaPublisherConfig config = KafkaSide.config(kafka(null, null), "relay-1");

    assertThat(config.bootstrapServers()).isEqualTo("a:1,b:2");
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.deliveryTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(config.properties())
        .containsEntry("security.protocol", "PLAINTEXT")
        .containsEntry("client.id", "waybill-relay-1")
        .containsEntry("linger.ms", "3");
    assertThat(config.createTopics()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, PLAIN, PlainLoginModule",
    "SCRAM_SHA_256, SCRAM-SHA-256, ScramLoginModule",
    "SCRAM_SHA_512, SCRAM-SHA-512, ScramLoginModule"
  })
  void kafkaLogsInWithUserAndPassword(KafkaConfig.Mechanism mechanism, String name, String module) {
    KafkaPublisherConfig config =
        KafkaSide.config(
            kafka(null, new KafkaConfig.Sasl(mechanism, "me", new Secret(CANARY))), "relay-1");

    assertThat(config.properties())
        .containsEntry("security.protocol", "SASL_PLAINTEXT")
        .containsEntry("sasl.mechanism", name);
    assertThat(config.properties().get("sasl.jaas.config"))
        .contains(module)
        .contains("username=\"me\"")
        .contains("password=\"c4nary\\\"\\\\s3cret\"");
    assertThat(config.toString()).doesNotContain("s3cret");
  }

  @Test
  void rabbitGetsItsAddressesBoundsAndTls() {
    RabbitPublisherConfig config =
        RabbitSide.config(
            new RabbitConfig(
                List.of("a:1"),
                "/shop",
                "me",
                new Secret(CANARY),
                new TlsConfig(Path.of("/ca.pem"), null, null),
                2,
                500,
                Duration.ofSeconds(9),
                Duration.ofSeconds(4),
                Duration.ofSeconds(8),
                1_000,
                null,
                null),
            "relay-1");

    assertThat(config.addresses()).containsExactly("a:1");
    assertThat(config.virtualHost()).isEqualTo("/shop");
    assertThat(config.connections()).isEqualTo(2);
    assertThat(config.window()).isEqualTo(500);
    assertThat(config.confirmTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(config.maxMessageBytes()).isEqualTo(1_000);
    assertThat(config.tls()).isEqualTo(new RabbitTls(Path.of("/ca.pem"), null, null, null, true));
    assertThat(config.toString()).doesNotContain("s3cret");
  }

  @Test
  void checksSeeExchangesOfAnyRoutingKeyAndDeadLetters() {
    String yaml =
        """
        outboxes:
          orders:
            database: {url: "jdbc:postgresql://localhost/postgres"}
            rabbitmq: {addresses: ["localhost:5672"]}
            routes:
              default: {target: events, routing-key: "{eventType}"}
              types:
                a: {target: "{aggregateType}", routing-key: a}
                b: {target: "", routing-key: "{eventType}"}
                c: {target: "", routing-key: orders}
            failure: {policy: bury, dead-letter: {target: dead, routing-key: letters}}
        """;
    OutboxConfig outbox =
        ConfigLoader.parse("test", yaml.getBytes(StandardCharsets.UTF_8), Map.of(), "relay-t")
            .config()
            .outboxes()
            .get(0);
    assertThat(RabbitSide.literal(outbox))
        .containsExactlyInAnyOrder(
            Destination.exchange("events", ""),
            Destination.exchange("", "orders"),
            Destination.exchange("dead", "letters"));
  }

  private static KafkaConfig kafka(@Nullable TlsConfig tls, KafkaConfig.@Nullable Sasl sasl) {
    return new KafkaConfig(
        List.of("a:1", "b:2"),
        Duration.ofSeconds(3),
        Duration.ofSeconds(7),
        new KafkaConfig.CreateTopics(3, 1),
        StandardPartitioner.CONSISTENT_RANDOM,
        tls,
        sasl,
        Map.of("linger.ms", "3"));
  }
}

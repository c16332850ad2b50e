package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.Certificates;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring's SSL bundles, with brokers that demand a client's certificate. */
@Tag("server")
@Tag("long")
class TlsBundlesTest {
  private final String name = "tls-" + UUID.randomUUID();

  private ConfigurableApplicationContext run(String... properties) {
    List<String> all = new java.util.ArrayList<>(List.of(properties));
    String pem = "spring.ssl.bundle.pem.texts.";
    all.add(pem + "truststore.certificate=file:" + TestServers.file("root.pem"));
    all.add(pem + "keystore.certificate=file:" + TestServers.file("client.pem"));
    all.add(pem + "keystore.private-key=file:" + TestServers.file("client.key"));
    all.add(
        "spring.ssl.bundle.jks.client.truststore.location=file:" + TestServers.file("client.p12"));
    all.add("spring.ssl.bundle.jks.client.truststore.password=" + Certificates.PASSWORD);
    all.add("spring.ssl.bundle.jks.client.truststore.type=PKCS12");
    all.add(
        "spring.ssl.bundle.jks.client.keystore.location=file:" + TestServers.file("client.p12"));
    all.add("spring.ssl.bundle.jks.client.keystore.password=" + Certificates.PASSWORD);
    all.add("spring.ssl.bundle.jks.client.keystore.type=PKCS12");
    all.add("spring.ssl.bundle.jks.client.key.alias=key");
    return SmallApplication.run(Tables.create().url(), all.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"spring.kafka.ssl.bundle, client", "waybill.kafka.ssl-bundle, texts"})
  void kafkaTakesABundle(String key, String bundle) {
    TestServers.kafka().createTopic(name, 1, Map.of());
    try (ConfigurableApplicationContext context =
            run(
                "spring.kafka.bootstrap-servers=" + TestServers.kafka().clientServers(),
                key + "=" + bundle,
                "waybill.routes.default.target=" + name);
        KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(name))) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(Patience.of(Duration.ofSeconds(20))).until(() -> tail.count() == 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"spring.rabbitmq.ssl.bundle, texts", "waybill.rabbitmq.ssl-bundle, client"})
  void rabbitMqTakesABundle(String key, String bundle) throws Exception {
    String uri = TestServers.rabbit().uri();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(name, true, false, false, null);
    }
    try (ConfigurableApplicationContext context =
            run(
                "spring.rabbitmq.addresses=127.0.0.1:" + TestServers.rabbitTlsPort(),
                key + "=" + bundle,
                "waybill.routes.default.routing-key=" + name);
        RabbitTail tail = new RabbitTail(uri, List.of(name))) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(Patience.of(Duration.ofSeconds(20))).until(() -> tail.count() == 1);
      assertThat(tail.messages()).hasSize(1);
    }
  }

  @Test
  void rabbitMqKeepsToTheProtocolsOfABundle() {
    try (ConfigurableApplicationContext context =
        run(
            "spring.ssl.bundle.pem.texts.options.enabled-protocols=TLSv1.2",
            "waybill.rabbitmq.addresses=127.0.0.1:" + TestServers.rabbitTlsPort(),
            "waybill.rabbitmq.ssl-bundle=texts",
            "waybill.routes.default.routing-key=" + name)) {
      String relay = context.getBean(RelayLifecycle.class).name();
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(60)))
          .until(() -> !protocols(relay).isEmpty());
      assertThat(protocols(relay)).allMatch("tlsv1.2"::equals);
    }
  }

  /** Of the connections of a relay. */
  private static List<String> protocols(String relay) {
    return TestServers.rabbit()
        .ctl("-q", "list_connections", "ssl_protocol", "client_properties")
        .lines()
        .filter(line -> line.contains("waybill-" + relay))
        .map(line -> line.split("\\s", 2)[0])
        .toList();
  }
}

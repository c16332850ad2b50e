package io.waybill.server.assemble;

import io.waybill.kafka.KafkaChecks;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.observe.Finding;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RouteConfig;
import io.waybill.server.config.Secret;
import io.waybill.server.config.TlsConfig;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.jspecify.annotations.Nullable;

/** Kafka's side of an outbox. */
final class KafkaSide {
  private KafkaSide() {}

  static KafkaPublisherConfig config(KafkaConfig config, String relay) {
    KafkaPublisherConfig.Builder builder =
        KafkaPublisherConfig.builder(String.join(",", config.bootstrapServers()))
            .requestTimeout(config.requestTimeout())
            .deliveryTimeout(config.deliveryTimeout())
            .partitioner(config.partitioner())
            .property("client.id", "waybill-" + relay)
            .properties(config.properties());
    KafkaConfig.CreateTopics create = config.createTopics();
    if (create != null) {
      builder.createTopics(create.partitions(), create.replicationFactor());
    }
    KafkaConfig.Sasl sasl = config.sasl();
    if (sasl != null) {
      login(builder, sasl);
    }
    TlsConfig tls = config.tls();
    if (tls != null) {
      tls(builder, tls);
    }
    String transport = tls == null ? "PLAINTEXT" : "SSL";
    return builder
        .property("security.protocol", sasl == null ? transport : "SASL_" + transport)
        // Reading the configuration has warned of it.
        .allowPlaintextPasswords(true)
        .build();
  }

  /** Checks the broker and the topics that do not depend on the event. */
  static List<Finding> check(KafkaConfig config, OutboxConfig outbox) {
    EventLimits limits = EventLimits.ofDefaults();
    List<Destination> topics =
        Stream.concat(
                Destinations.routes(outbox)
                    .filter(route -> !route.target().contains("{"))
                    .map(KafkaSide::topic),
                Destinations.deadLetters(outbox))
            .toList();
    try {
      return KafkaChecks.run(
          config(config, "checks"), topics, limits.maxPayloadBytes() + limits.maxHeadersBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while checking Kafka", e);
    }
  }

  /** A template for partitions is no number yet: that there is one is enough for the checks. */
  private static Destination topic(RouteConfig route) {
    Integer partition = route.partition() == null ? null : 0;
    return new Destination(route.target(), "", partition, route.timestamp());
  }

  private static void login(KafkaPublisherConfig.Builder builder, KafkaConfig.Sasl sasl) {
    String mechanism = sasl.mechanism().name().replace('_', '-').toUpperCase(Locale.ROOT);
    Class<?> module =
        sasl.mechanism() == KafkaConfig.Mechanism.PLAIN
            ? PlainLoginModule.class
            : ScramLoginModule.class;
    builder
        .property("sasl.mechanism", mechanism)
        .property(
            "sasl.jaas.config",
            "%s required username=\"%s\" password=\"%s\";"
                .formatted(
                    module.getName(), quoted(sasl.user()), quoted(sasl.password().reveal())));
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  private static void tls(KafkaPublisherConfig.Builder builder, TlsConfig tls) {
    if (tls.caFile() != null) {
      builder
          .property("ssl.truststore.type", "PEM")
          .property("ssl.truststore.location", tls.caFile().toString());
    }
    if (tls.keyStore() != null) {
      builder
          .property("ssl.keystore.type", "PKCS12")
          .property("ssl.keystore.location", tls.keyStore().toString())
          .property("ssl.keystore.password", text(tls.keyStorePassword()))
          .property("ssl.key.password", text(tls.keyStorePassword()));
    }
  }

  private static String text(@Nullable Secret secret) {
    return secret == null ? "" : secret.reveal();
  }
}

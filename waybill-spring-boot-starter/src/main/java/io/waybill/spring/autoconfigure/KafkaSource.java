package io.waybill.spring.autoconfigure;

import io.waybill.kafka.KafkaPublisherConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.ClassUtils;

/**
 * Kafka's settings: connection details or {@code spring.kafka} where they say something, over that
 * {@code waybill.kafka}.
 */
final class KafkaSource {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
  private static final boolean DETAILS =
      ClassUtils.isPresent(
          "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails",
          KafkaSource.class.getClassLoader());

  private final KafkaProperties own;
  private final SpringKafka spring;
  private final BrokerContext context;
  private final Map<String, String> properties = new HashMap<>();
  private List<String> servers = List.of("localhost:9092");
  private @Nullable String protocol;
  private @Nullable SslBundle bundle;

  private KafkaSource(KafkaProperties own, BrokerContext context) {
    this.own = own;
    this.spring = context.bind("spring.kafka", SpringKafka.class);
    this.context = context;
  }

  static KafkaSide of(KafkaProperties own, BrokerContext context, String relay) {
    KafkaSource source = new KafkaSource(own, context);
    source.takeProperties();
    source.takeConnection();
    if (DETAILS) {
      source.takeDetails();
    }
    source.takeOwn();
    return new KafkaSide(source.config(relay));
  }

  private void takeProperties() {
    Map<String, String> given = new TreeMap<>(spring.properties());
    SpringKafka.Producer producer = spring.producer();
    put(given, "batch.size", producer.batchSize());
    put(given, "buffer.memory", producer.bufferMemory());
    put(given, "compression.type", producer.compressionType());
    given.putAll(producer.properties());
    TreeSet<String> left = new TreeSet<>();
    given.forEach(
        (name, value) -> {
          if (KafkaPublisherConfig.takes(name)) {
            properties.put(name, value);
          } else {
            left.add(name);
          }
        });
    if (!left.isEmpty()) {
      LOG.info("The relay's Kafka client leaves out these properties of spring.kafka: {}", left);
    }
    protocol = properties.remove("security.protocol");
    stores(spring.ssl());
    stores(producer.ssl());
  }

  private void stores(SpringKafka.Ssl ssl) {
    put(properties, "ssl.key.password", ssl.keyPassword());
    put(properties, "ssl.keystore.location", file(ssl.keyStoreLocation()));
    put(properties, "ssl.keystore.password", ssl.keyStorePassword());
    put(properties, "ssl.keystore.type", ssl.keyStoreType());
    put(properties, "ssl.truststore.location", file(ssl.trustStoreLocation()));
    put(properties, "ssl.truststore.password", ssl.trustStorePassword());
    put(properties, "ssl.truststore.type", ssl.trustStoreType());
    put(properties, "ssl.protocol", ssl.protocol());
    if (ssl.bundle() != null) {
      bundle = context.bundle(ssl.bundle());
    }
  }

  private @Nullable String file(@Nullable String location) {
    return location == null ? null : context.file(location).toString();
  }

  private void takeConnection() {
    servers = or(spring.producer().bootstrapServers(), or(spring.bootstrapServers(), servers));
    protocol =
        first(
            spring.producer().security().protocol(), first(spring.security().protocol(), protocol));
  }

  /** Of a container for tests or a service binding; otherwise the properties once more. */
  private void takeDetails() {
    KafkaConnectionDetails details = context.bean(KafkaConnectionDetails.class);
    if (details == null) {
      return;
    }
    KafkaConnectionDetails.Configuration producer = details.getProducer();
    servers = producer.getBootstrapServers();
    protocol = first(producer.getSecurityProtocol(), protocol);
    bundle = first(producer.getSslBundle(), bundle);
  }

  private void takeOwn() {
    servers = or(own.bootstrapServers(), servers);
    properties.putAll(own.properties());
    protocol = first(properties.remove("security.protocol"), protocol);
    if (own.sslBundle() != null) {
      bundle = context.bundle(own.sslBundle());
    }
  }

  private KafkaPublisherConfig config(String relay) {
    SslBundle trusted = bundle;
    if (trusted != null) {
      properties.putAll(KafkaBundle.properties(trusted));
    }
    String chosen = or(protocol, trusted == null ? "PLAINTEXT" : "SSL");
    if (trusted != null && chosen.endsWith("PLAINTEXT")) {
      throw Problems.failure(
          List.of("an SSL bundle for Kafka needs security.protocol SSL or SASL_SSL, is " + chosen),
          null);
    }
    KafkaPublisherConfig.Builder builder =
        KafkaPublisherConfig.builder(String.join(",", new ArrayList<>(servers)))
            .requestTimeout(own.requestTimeout())
            .deliveryTimeout(own.deliveryTimeout())
            .property("client.id", "waybill-" + relay)
            .properties(properties)
            .property("security.protocol", chosen);
    KafkaProperties.CreateTopics create = own.createTopics();
    if (create != null) {
      builder.createTopics(create.partitions(), create.replicationFactor());
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw Problems.failure(
          List.of(e.getMessage() + " (from waybill.kafka, else spring.kafka)"), e);
    }
  }

  private static void put(Map<String, String> map, String key, @Nullable String value) {
    if (value != null) {
      map.put(key, value);
    }
  }

  private static <T> T or(@Nullable T value, T fallback) {
    return value == null ? fallback : value;
  }

  private static <T> @Nullable T first(@Nullable T value, @Nullable T fallback) {
    return value == null ? fallback : value;
  }
}

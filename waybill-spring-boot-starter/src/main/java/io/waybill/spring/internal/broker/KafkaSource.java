package io.waybill.spring.internal.broker;

import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.kafka.KeyPartitioner;
import io.waybill.kafka.StandardPartitioner;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.KafkaProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
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

  /**
   * Where the keys stand that hold for the inbox, and for outboxes without a section of their own.
   */
  static final String PREFIX = "waybill.kafka";

  // Beside the wait for handlers.
  private static final Duration LEAVING = Duration.ofSeconds(10);

  private final KafkaProperties own;
  private final String section;
  private final PlaintextPasswords plaintext;
  private final SpringKafka spring;
  private final SpringKafka.Client client;
  private final BrokerContext context;
  private final Map<String, String> properties = new HashMap<>();
  private List<String> servers = List.of("localhost:9092");
  private @Nullable String protocol;
  private @Nullable SslBundle bundle;

  private KafkaSource(
      KafkaProperties own, BrokerContext context, String section, boolean consumer) {
    this.own = own;
    this.section = section;
    this.plaintext = new PlaintextPasswords(section, own.allowPlaintextPasswords());
    this.spring = context.bind(SpringKafka.PREFIX, SpringKafka.class);
    this.client = consumer ? spring.consumer() : spring.producer();
    this.context = context;
    takeProperties();
    servers = or(client.bootstrapServers(), or(spring.bootstrapServers(), servers));
    protocol = first(client.security().protocol(), first(spring.security().protocol(), protocol));
    if (DETAILS) {
      takeDetails();
    }
    takeOwn();
    takeBundle();
  }

  /**
   * Settings of the producer, from which those of a consumer are made.
   *
   * @param section where Waybill's own keys stand, for example {@code waybill.kafka}
   * @param name who sends
   */
  static KafkaBroker of(KafkaProperties own, BrokerContext context, String section, String name) {
    return KafkaBroker.of(new KafkaSource(own, context, section, false).publisher(name));
  }

  static KafkaSubscriberConfig subscriber(
      KafkaProperties own, BrokerContext context, InboxProperties inbox, String consumer) {
    return new KafkaSource(own, context, PREFIX, true).subscriber(inbox, consumer);
  }

  private boolean consumes() {
    return client instanceof SpringKafka.Consumer;
  }

  private boolean takes(String name) {
    return consumes() ? KafkaSubscriberConfig.takes(name) : KafkaPublisherConfig.takes(name);
  }

  private void takeProperties() {
    Map<String, String> given = new TreeMap<>(spring.properties());
    if (client instanceof SpringKafka.Producer producer) {
      put(given, "batch.size", producer.batchSize());
      put(given, "buffer.memory", producer.bufferMemory());
      put(given, "compression.type", producer.compressionType());
    }
    given.putAll(client.properties());
    TreeSet<String> left = new TreeSet<>();
    given.forEach(
        (name, value) -> {
          if (takes(name)) {
            properties.put(name, value);
          } else {
            left.add(name);
          }
        });
    if (!left.isEmpty()) {
      LOG.info(
          "Waybill's Kafka {} leaves out these properties of spring.kafka: {}",
          consumes() ? "consumer" : "producer",
          left);
    }
    protocol = properties.remove("security.protocol");
    stores(spring.ssl());
    stores(client.ssl());
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

  /** Of a container for tests or a service binding; otherwise the properties once more. */
  private void takeDetails() {
    KafkaConnectionDetails details = context.bean(KafkaConnectionDetails.class);
    if (details == null) {
      return;
    }
    KafkaConnectionDetails.Configuration found =
        consumes() ? details.getConsumer() : details.getProducer();
    servers = found.getBootstrapServers();
    protocol = first(found.getSecurityProtocol(), protocol);
    bundle = first(found.getSslBundle(), bundle);
  }

  private void takeOwn() {
    servers = or(own.bootstrapServers(), servers);
    // What only the other client takes is for that one; what neither takes is refused.
    own.properties()
        .forEach(
            (name, value) -> {
              if (takes(name)
                  || !(KafkaPublisherConfig.takes(name) || KafkaSubscriberConfig.takes(name))) {
                properties.put(name, value);
              }
            });
    protocol = first(properties.remove("security.protocol"), protocol);
    if (own.sslBundle() != null) {
      bundle = context.bundle(own.sslBundle());
    }
  }

  private void takeBundle() {
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
    properties.put("security.protocol", chosen);
  }

  /** Whether Waybill's keys say neither where Kafka is nor who logs in. */
  private boolean isOfSpring() {
    return own.bootstrapServers() == null
        && own.properties().keySet().stream()
            .noneMatch(name -> name.startsWith("sasl.") || name.equals("security.protocol"));
  }

  private String bootstrapServers() {
    return String.join(",", new ArrayList<>(servers));
  }

  private KafkaPublisherConfig publisher(String name) {
    KafkaPublisherConfig.Builder builder =
        KafkaPublisherConfig.builder(bootstrapServers())
            .requestTimeout(own.requestTimeout())
            .deliveryTimeout(own.deliveryTimeout())
            .partitioner(partitioner())
            .property("client.id", "waybill-" + name)
            .properties(properties)
            .allowPlaintextPasswords(plaintext.allowed(isOfSpring()));
    KafkaProperties.CreateTopics create = own.createTopics();
    return checked(
        () ->
            create == null
                ? builder.build()
                : builder.createTopics(create.partitions(), create.replicationFactor()).build(),
        section + ", else spring.kafka");
  }

  private KeyPartitioner partitioner() {
    KeyPartitioner bean = context.bean(KeyPartitioner.class);
    return bean == null ? StandardPartitioner.valueOf(own.partitioner().name()) : bean;
  }

  private KafkaSubscriberConfig subscriber(InboxProperties inbox, String consumer) {
    InboxProperties.FromKafka how = inbox.kafka();
    Duration limit = how.revocationWait().plus(LEAVING);
    return checked(
        () ->
            KafkaSubscriberConfig.builder(bootstrapServers(), consumer, inbox.sources())
                .start(start(how.start()))
                .window(how.window())
                .revocationLimit(limit)
                .property("client.id", "waybill-" + consumer)
                .properties(properties)
                .allowPlaintextPasswords(plaintext.allowed(isOfSpring()))
                .build(),
        "waybill.inbox and " + section + ", else spring.kafka");
  }

  private KafkaSubscriberConfig.Start start(InboxProperties.@Nullable Start given) {
    if (given != null) {
      return KafkaSubscriberConfig.Start.valueOf(given.name());
    }
    String usual = or(spring.consumer().autoOffsetReset(), "earliest");
    return switch (usual.toLowerCase(Locale.ROOT)) {
      case "earliest" -> KafkaSubscriberConfig.Start.EARLIEST;
      case "latest" -> KafkaSubscriberConfig.Start.LATEST;
      case "none" -> KafkaSubscriberConfig.Start.REFUSE;
      default ->
          throw Problems.failure(
              List.of(
                  "spring.kafka.consumer.auto-offset-reset must be earliest, latest or none, is "
                      + usual
                      + "; or waybill.inbox.kafka.start must be given"),
              null);
    };
  }

  private <T> T checked(Supplier<T> build, String from) {
    try {
      return build.get();
    } catch (IllegalArgumentException e) {
      String message = plaintext.named(String.valueOf(e.getMessage()));
      throw Problems.failure(List.of(message + " (from " + from + ")"), e);
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

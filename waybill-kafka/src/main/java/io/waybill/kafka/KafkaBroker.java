package io.waybill.kafka;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.ConsumableBroker.Depth;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Kafka, as a relay publishes to it and an inbox consumes from it. Immutable. */
public final class KafkaBroker implements ConsumableBroker {
  private final KafkaPublisherConfig config;
  private final boolean plainByDefault;

  private KafkaBroker(KafkaPublisherConfig config, boolean plainByDefault) {
    this.config = config;
    this.plainByDefault = plainByDefault;
  }

  /**
   * Describes a cluster with the default settings.
   *
   * @param bootstrapServers hosts and ports, separated by commas
   * @return broker
   * @throws IllegalArgumentException if they are not hosts and ports
   */
  public static KafkaBroker at(String bootstrapServers) {
    return of(KafkaPublisherConfig.builder(bootstrapServers).build());
  }

  /**
   * Describes a cluster.
   *
   * @param config how to connect and to send
   * @return broker
   */
  public static KafkaBroker of(KafkaPublisherConfig config) {
    return new KafkaBroker(config, false);
  }

  /** Compresses nothing, unless {@code compression.type} is set: not every client reads LZ4. */
  @Override
  public KafkaBroker forAdoptedTable() {
    if (config.properties().containsKey("compression.type")) {
      return this;
    }
    Map<String, String> properties = new HashMap<>(config.properties());
    properties.put("compression.type", "none");
    return new KafkaBroker(config.withProperties(properties), true);
  }

  /**
   * Its settings.
   *
   * @return settings of its publishers
   */
  public KafkaPublisherConfig config() {
    return config;
  }

  @Override
  public Transport transport() {
    return Transport.KAFKA;
  }

  @Override
  public BrokerClient client() {
    return BrokerClient.of(Transport.KAFKA).servers(config.bootstrapServers());
  }

  @Override
  public Duration deliveryTimeout() {
    return config.deliveryTimeout();
  }

  @Override
  public Publisher publisher() {
    return new KafkaPublisher(config);
  }

  @Override
  public Publisher publisher(List<Destination> expected) {
    Set<String> topics = expected.stream().map(Destination::target).collect(Collectors.toSet());
    return new KafkaPublisher(config, new RealClients(config), topics, true);
  }

  @Override
  public Optional<DestinationDeclaration> declaration(DestinationDeclaration.Settings settings) {
    if (settings.exchangeType() != null
        || settings.queueType() != null
        || settings.singleActiveConsumer()) {
      throw new IllegalArgumentException(
          "Kafka has topics alone: go without settings of exchanges and queues");
    }
    return Optional.of(declaration(settings.partitions(), settings.replicationFactor()));
  }

  DestinationDeclaration declaration(@Nullable Integer partitions, @Nullable Integer replication) {
    return TopicDeclaration.of(config, partitions, replication);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    EventLimits limits = EventLimits.ofDefaults();
    try {
      return KafkaChecks.run(
          config,
          destinations,
          limits.maxPayloadBytes() + limits.maxHeadersBytes(),
          plainByDefault);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** The consumer takes those of the properties that it has as well, for example those of TLS. */
  @Override
  public Subscriber subscriber(String consumer, List<String> sources) {
    KafkaSubscriberConfig.Builder subscription =
        KafkaSubscriberConfig.builder(config.bootstrapServers(), consumer, sources)
            .allowPlaintextPasswords(config.allowPlaintextPasswords());
    config
        .properties()
        .forEach(
            (name, value) -> {
              if (KafkaSubscriberConfig.takes(name)) {
                subscription.property(name, value);
              }
            });
    return new KafkaSubscriber(subscription.build());
  }

  @Override
  public Destination deadLetters(String source) {
    return KafkaDeadLetters.of(source);
  }

  /** The subscriber reports topics that are missing; this looks for those of dead letters. */
  @Override
  public List<Finding> checkSources(List<String> sources) {
    try {
      return new KafkaDeadLetters(config).check(sources);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  @Override
  public KafkaDeadLetterReader deadLetterReader(String name, @Nullable String after) {
    return KafkaDeadLetterReader.openAfter(config, name, after);
  }

  @Override
  public KafkaDeadLetterReader deadLettersFrom(String name, Map<String, Long> positions) {
    return KafkaDeadLetterReader.open(config, name, positions);
  }

  @Override
  public Map<String, Depth> depths(Collection<String> names) {
    return TopicDepths.of(config, names);
  }
}

package io.waybill.rabbitmq;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.ConsumableBroker.Depth;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** RabbitMQ, as a relay publishes to it and an inbox consumes from it. Immutable. */
public final class RabbitBroker implements ConsumableBroker {
  private final RabbitPublisherConfig config;
  private final @Nullable RabbitManagement management;
  private final @Nullable RabbitTopology topology;

  private RabbitBroker(
      RabbitPublisherConfig config,
      @Nullable RabbitManagement management,
      @Nullable RabbitTopology topology) {
    this.config = config;
    this.management = management;
    this.topology = topology;
  }

  /**
   * Describes a broker with the default settings.
   *
   * @param addresses hosts and ports of its nodes
   * @return broker
   * @throws IllegalArgumentException if they are not hosts and ports
   */
  public static RabbitBroker at(String... addresses) {
    return of(RabbitPublisherConfig.builder().addresses(List.of(addresses)).build());
  }

  /**
   * Describes a broker.
   *
   * @param config how to connect and to send
   * @return broker without access to the management API and without a topology
   */
  public static RabbitBroker of(RabbitPublisherConfig config) {
    return new RabbitBroker(config, null, null);
  }

  /**
   * The same with access to the management API, by which the checks see queues and policies.
   *
   * @param access address and credentials, or null
   * @return changed copy
   */
  public RabbitBroker management(@Nullable RabbitManagement access) {
    return new RabbitBroker(config, access, topology);
  }

  /**
   * The same with exchanges, queues and bindings that the relay declares before it starts. They
   * replace those that a known outbox brings along.
   *
   * @param declared parts to declare; an empty topology declares nothing, null leaves it to the
   *     outbox
   * @return changed copy
   */
  public RabbitBroker topology(@Nullable RabbitTopology declared) {
    return new RabbitBroker(config, management, declared);
  }

  /**
   * Its settings.
   *
   * @return settings of its publishers
   */
  public RabbitPublisherConfig config() {
    return config;
  }

  /**
   * The access to the management API.
   *
   * @return address and credentials, or null
   */
  public @Nullable RabbitManagement management() {
    return management;
  }

  @Override
  public Transport transport() {
    return Transport.RABBITMQ;
  }

  @Override
  public BrokerClient client() {
    return BrokerClient.of(Transport.RABBITMQ).servers(String.join(",", config.addresses()));
  }

  @Override
  public Duration deliveryTimeout() {
    return config.confirmTimeout();
  }

  @Override
  public Publisher publisher() {
    return new RabbitPublisher(config);
  }

  /** Declares nothing for them if a topology was given: that says what is declared. */
  @Override
  public RabbitBroker declaring(List<Destination> destinations) {
    if (topology != null || destinations.isEmpty()) {
      return this;
    }
    RabbitTopology.Builder documented = RabbitTopology.builder();
    destinations.forEach(documented::queueOf);
    return topology(documented.build());
  }

  @Override
  public List<Finding> declare() {
    return topology == null ? List.of() : new RabbitChecks(config, topology, management).declare();
  }

  @Override
  public Optional<DestinationDeclaration> declaration(DestinationDeclaration.Settings settings) {
    if (settings.partitions() != null || settings.replicationFactor() != null) {
      throw new IllegalArgumentException(
          "RabbitMQ has no topics: go without partitions and replication factor");
    }
    return Optional.of(
        declaration(
            choice("exchange type", RabbitTopology.ExchangeType.class, settings.exchangeType()),
            Objects.requireNonNullElse(
                choice("queue type", RabbitTopology.QueueType.class, settings.queueType()),
                RabbitTopology.QueueType.QUORUM),
            settings.singleActiveConsumer()));
  }

  private static <E extends Enum<E>> @Nullable E choice(
      String name, Class<E> type, @Nullable String given) {
    if (given == null) {
      return null;
    }
    List<E> choices = List.of(type.getEnumConstants());
    return choices.stream()
        .filter(choice -> choice.name().equalsIgnoreCase(given))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s must be one of %s, but is '%s'"
                        .formatted(name, choices.toString().toLowerCase(Locale.ROOT), given)));
  }

  DestinationDeclaration declaration(
      RabbitTopology.@Nullable ExchangeType exchangeType,
      RabbitTopology.QueueType queueType,
      boolean singleActive) {
    return new RabbitDeclaration(
        config,
        name -> exchangeType == null ? typeInTopology(name) : exchangeType,
        queueType,
        singleActive);
  }

  private RabbitTopology.ExchangeType typeInTopology(String exchange) {
    return topology == null
        ? RabbitTopology.ExchangeType.TOPIC
        : topology.exchanges().stream()
            .filter(each -> each.name().equals(exchange))
            .map(RabbitTopology.Exchange::type)
            .findFirst()
            .orElse(RabbitTopology.ExchangeType.TOPIC);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    RabbitTopology declared = topology == null ? RabbitTopology.builder().build() : topology;
    return new RabbitChecks(config, declared, management).check(destinations);
  }

  @Override
  public Subscriber subscriber(String consumer, List<String> sources) {
    return new RabbitSubscriber(RabbitSubscriberConfig.builder(config, sources).build());
  }

  @Override
  public Destination deadLetters(String source) {
    return Destination.exchange("", RabbitDeadLetters.queueOf(source));
  }

  @Override
  public List<Finding> checkSources(List<String> sources) {
    RabbitChecks checks = new RabbitChecks(config, RabbitTopology.builder().build(), management);
    List<Finding> found = new ArrayList<>(checks.checkConsumed(sources));
    checks.checkConsumed(sources.stream().map(RabbitDeadLetters::queueOf).toList()).stream()
        // The order of dead letters means nothing to their readers.
        .filter(finding -> finding.check() != Check.RABBITMQ_CONSUMERS_COMPETE)
        .forEach(found::add);
    return found.stream().distinct().toList();
  }

  @Override
  public RabbitDeadLetterReader deadLetterReader(String name, @Nullable String after) {
    return RabbitDeadLetterReader.open(config, name, management);
  }

  @Override
  public Map<String, Depth> depths(Collection<String> names) {
    return QueueDepths.of(config, names);
  }
}

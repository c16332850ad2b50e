package io.waybill.kafka;

import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;

/** Kafka, as a relay publishes to it. Immutable. */
public final class KafkaBroker implements Broker {
  private final KafkaPublisherConfig config;

  private KafkaBroker(KafkaPublisherConfig config) {
    this.config = config;
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
    return new KafkaBroker(config);
  }

  /**
   * How it connects and sends.
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
  public List<Finding> check(List<Destination> destinations) {
    EventLimits limits = EventLimits.ofDefaults();
    try {
      return KafkaChecks.run(
          config, destinations, limits.maxPayloadBytes() + limits.maxHeadersBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}

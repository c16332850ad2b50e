package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaChecks;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;

/** Kafka. */
record KafkaSide(KafkaPublisherConfig config) implements BrokerSide {
  @Override
  public Transport transport() {
    return Transport.KAFKA;
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
          config,
          destinations.stream().map(Destination::target).distinct().toList(),
          limits.maxPayloadBytes() + limits.maxHeadersBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}

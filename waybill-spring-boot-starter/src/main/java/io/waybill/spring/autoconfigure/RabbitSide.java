package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTopology;
import java.time.Duration;
import java.util.List;

/** RabbitMQ. */
record RabbitSide(RabbitPublisherConfig config) implements BrokerSide {
  @Override
  public Transport transport() {
    return Transport.RABBITMQ;
  }

  @Override
  public Duration deliveryTimeout() {
    return config.confirmTimeout();
  }

  @Override
  public Publisher publisher() {
    return new RabbitPublisher(config);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return new RabbitChecks(config, RabbitTopology.builder().build(), null).check(destinations);
  }
}

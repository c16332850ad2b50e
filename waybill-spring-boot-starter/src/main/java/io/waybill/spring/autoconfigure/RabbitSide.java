package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitDeadLetters;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.spring.autoconfigure.InboxProperties.DeadLetters;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** RabbitMQ. */
record RabbitSide(RabbitPublisherConfig config, @Nullable RabbitManagement management)
    implements BrokerSide {
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
  public Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer) {
    try {
      RabbitSubscriberConfig subscription =
          RabbitSubscriberConfig.builder(config, inbox.sources())
              .prefetch(inbox.rabbitmq().prefetch())
              .build();
      return () -> new RabbitSubscriber(subscription);
    } catch (IllegalArgumentException e) {
      throw Problems.failure(List.of(e.getMessage() + " (from waybill.inbox)"), e);
    }
  }

  /** They go through the default exchange into queues. */
  @Override
  public List<Finding> deadLetters(List<String> sources, DeadLetters letters) {
    List<String> queues = sources.stream().map(RabbitDeadLetters::queueOf).toList();
    RabbitTopology.Builder topology = RabbitTopology.builder();
    queues.forEach(topology::letterQueue);
    RabbitChecks checks = new RabbitChecks(config, topology.build(), management);
    return letters.create() ? checks.declare() : checks.checkConsumed(queues);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return new RabbitChecks(config, RabbitTopology.builder().build(), management)
        .check(destinations);
  }
}

package io.waybill.spring.autoconfigure;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;

/** Decorates the publisher of each relay, for example with spans. Define a bean of this type. */
@FunctionalInterface
public interface PublisherDecorator {
  /**
   * Decorates a publisher.
   *
   * @param publisher a new publisher, not started
   * @param client kind of its broker, and its server if only one is configured
   * @return the publisher that the relay starts and closes
   */
  Publisher decorate(Publisher publisher, BrokerClient client);
}

package io.waybill.spring.autoconfigure;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;

/** Puts something around the publisher of each relay, for example spans: a bean of this type. */
@FunctionalInterface
public interface PublisherDecorator {
  /**
   * Puts it around.
   *
   * @param publisher a new publisher, not started
   * @param client kind of its broker, and its server where there is one alone
   * @return what the relay starts and closes
   */
  Publisher decorate(Publisher publisher, BrokerClient client);
}

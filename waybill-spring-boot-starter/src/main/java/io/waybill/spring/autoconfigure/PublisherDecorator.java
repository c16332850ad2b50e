package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.message.Transport;

/** Puts something around the publisher of each relay, for example spans: a bean of this type. */
@FunctionalInterface
public interface PublisherDecorator {
  /**
   * Puts it around.
   *
   * @param publisher a new publisher, not started
   * @param transport kind of its broker
   * @return what the relay starts and closes
   */
  Publisher decorate(Publisher publisher, Transport transport);
}

package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.spring.autoconfigure.InboxProperties.DeadLetters;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The broker that events go to and come from. Nothing is connected before a publisher or subscriber
 * is started.
 */
interface BrokerSide {
  /** Which kind it is. */
  Transport transport();

  /** Longest time between a send and its outcome. */
  Duration deliveryTimeout();

  /**
   * Looks at the settings of destinations alone; fails if sends to them could not be confirmed.
   * Routing keys may have placeholders.
   */
  default void require(List<Destination> destinations) {}

  /** A new publisher, which its relay starts and closes. */
  Publisher publisher();

  /**
   * Makes subscribers, which their inbox starts and closes; settings are checked at once.
   *
   * @param consumer who consumes
   */
  Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer);

  /** Where dead letters of a topic or queue go; checked at once for all of the inbox. */
  Function<String, Destination> placesOfDeadLetters(InboxProperties inbox);

  /** Looks whether dead letters of these have a place, or makes one where it is told to. */
  List<Finding> deadLetters(List<String> sources, DeadLetters letters);

  /** Asks the broker; takes some seconds when it does not answer. */
  List<Finding> check(List<Destination> destinations);
}

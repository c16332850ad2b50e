package io.waybill.spring.autoconfigure;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;

/** The broker that events go to. Nothing is connected before a publisher is started. */
interface RelayBrokerSide {
  /** Which kind it is. */
  Transport transport();

  /** What spans say about the client. */
  default BrokerClient client() {
    return BrokerClient.of(transport());
  }

  /** Longest time between a send and its outcome. */
  Duration deliveryTimeout();

  /**
   * Looks at the settings of destinations alone; fails if sends to them could not be confirmed.
   * Routing keys may have placeholders.
   */
  default void require(List<Destination> destinations) {}

  /** Declares what its keys ask for; finds what the broker refused or did not answer. */
  default List<Finding> declare() {
    return List.of();
  }

  /** A new publisher, which its relay starts and closes. */
  Publisher publisher();

  /** Asks the broker; takes some seconds when it does not answer. */
  List<Finding> check(List<Destination> destinations);
}

package io.waybill.spring;

import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import java.time.Duration;
import java.util.List;

/**
 * Where the relay sends events instead of the starter's own Kafka or RabbitMQ: a bean of another
 * module, chosen by {@code waybill.broker}. Nothing is connected before a publisher is started.
 */
public interface RelayBroker {
  /**
   * The kind of broker behind it, which determines routes and formats.
   *
   * @return the kind
   */
  Transport transport();

  /**
   * Checks the settings of destinations, without asking the broker.
   *
   * @param destinations those whose target does not depend on the event; a routing key may have
   *     placeholders
   * @throws WaybillStartException if sends to one of them could not be confirmed
   */
  void require(List<Destination> destinations);

  /**
   * A new publisher, which its relay starts and closes.
   *
   * @param deliveryTimeout longest time between a send and its outcome
   * @return a publisher
   */
  Publisher publisher(Duration deliveryTimeout);
}

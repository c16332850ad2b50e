package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.spring.RelayBroker;
import java.time.Duration;
import java.util.List;

/** A broker that another module brings. It takes events and gives none. */
record SuppliedBroker(RelayBroker broker, Duration deliveryTimeout) implements Broker {
  @Override
  public Transport transport() {
    return broker.transport();
  }

  @Override
  public Publisher publisher() {
    return broker.publisher(deliveryTimeout);
  }

  @Override
  public void require(List<Destination> destinations) {
    broker.require(destinations);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return List.of();
  }
}

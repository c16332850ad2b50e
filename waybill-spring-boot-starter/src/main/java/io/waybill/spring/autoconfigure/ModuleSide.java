package io.waybill.spring.autoconfigure;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.spring.RelayBroker;
import io.waybill.spring.autoconfigure.InboxProperties.DeadLetters;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** A broker that another module brings. It takes events and gives none. */
record ModuleSide(RelayBroker broker, Duration deliveryTimeout) implements BrokerSide {
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
  public Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer) {
    throw new UnsupportedOperationException("subscribers: the inbox has a broker of its own");
  }

  @Override
  public Function<String, Destination> placesOfDeadLetters(InboxProperties inbox) {
    throw new UnsupportedOperationException("placesOfDeadLetters: the inbox has its own broker");
  }

  @Override
  public List<Finding> deadLetters(List<String> sources, DeadLetters letters) {
    throw new UnsupportedOperationException("deadLetters: the inbox has a broker of its own");
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return List.of();
  }
}

package io.waybill.bench.unchecked;

import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A broker that is not asked before a relay starts, as with {@link UncheckedTables}.
 *
 * @param transport kind of broker
 * @param deliveryTimeout longest time between a send and its outcome
 * @param publishers creates a publisher for each start of the relay, with what it may expect
 */
public record UncheckedBroker(
    Transport transport,
    Duration deliveryTimeout,
    Function<List<Destination>, Publisher> publishers)
    implements Broker {
  /**
   * Decorates.
   *
   * @param broker the real one
   * @return the same without checks
   */
  public static Broker of(Broker broker) {
    return new UncheckedBroker(broker.transport(), broker.deliveryTimeout(), broker::publisher);
  }

  @Override
  public Publisher publisher() {
    return publisher(List.of());
  }

  @Override
  public Publisher publisher(List<Destination> expected) {
    return publishers.apply(expected);
  }

  @Override
  public List<Finding> check(List<Destination> destinations) {
    return List.of();
  }
}

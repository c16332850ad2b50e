package io.waybill.broker;

import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A broker that relays publish to. It holds settings only: nothing is connected before a publisher
 * is started or a check is run. Implementations are thread-safe.
 */
public interface Broker {
  /**
   * The kind of broker, which determines routes and formats.
   *
   * @return the kind
   */
  Transport transport();

  /**
   * Describes the client, for spans.
   *
   * @return by default the kind of broker alone
   */
  default BrokerClient client() {
    return BrokerClient.of(transport());
  }

  /**
   * The longest time between a send and its outcome, as the settings have it.
   *
   * @return the bound; that of a {@link Publisher} may be longer by {@link Publisher#CLIENT_MARGIN}
   */
  Duration deliveryTimeout();

  /**
   * The same broker for the events of an adopted table. Its consumers were there before Waybill, so
   * what the settings leave open becomes what every client can read.
   *
   * @return by default this broker
   */
  default Broker forAdoptedTable() {
    return this;
  }

  /**
   * Checks the settings of destinations, without asking the broker.
   *
   * @param destinations those whose target does not depend on the event; a routing key may have
   *     placeholders
   * @throws RuntimeException if sends to one of them could not be confirmed
   */
  default void require(List<Destination> destinations) {}

  /**
   * The same broker with what leads from some destinations to their consumers, which {@link
   * #declare} then declares as well. Settings of the broker's own that say what is declared win.
   *
   * @param destinations those that the documents of a known outbox name
   * @return by default this broker, at which nothing needs to be declared for them
   */
  default Broker declaring(List<Destination> destinations) {
    return this;
  }

  /**
   * Declares at the broker what the settings ask for.
   *
   * @return what the broker refused or did not answer; empty by default
   */
  default List<Finding> declare() {
    return List.of();
  }

  /**
   * Creates what declares the parts that destinations lack, for an administrator.
   *
   * @param settings how new parts are made
   * @return the declaration, not connected; empty by default, of a broker that declares nothing
   * @throws IllegalArgumentException if a setting is out of range, or of another kind of broker
   */
  default Optional<DestinationDeclaration> declaration(DestinationDeclaration.Settings settings) {
    return Optional.empty();
  }

  /**
   * Checks the broker without changing anything. Takes some seconds if it does not answer.
   *
   * @param destinations those whose name does not depend on the event
   * @return findings, none if all is well
   */
  List<Finding> check(List<Destination> destinations);

  /**
   * Creates a publisher, which its relay starts and closes.
   *
   * @return a publisher, not started
   */
  Publisher publisher();

  /**
   * Creates a publisher for a relay that knows where messages will go. A publisher that looks its
   * destinations up does so before it reports the broker as available, and not while the first
   * messages wait.
   *
   * @param expected destinations whose name does not depend on the event
   * @return a publisher, not started
   */
  default Publisher publisher(List<Destination> expected) {
    return publisher();
  }
}

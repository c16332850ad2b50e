package io.waybill.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The processes that take part.
 *
 * @param first the relay that is killed on the way
 * @param second the relay that lives on
 * @param consumer records every copy
 * @param received where it records them
 * @param children all processes
 */
record Cast(
    RelayProcess first, RelayProcess second, Process consumer, Path received, Children children) {
  static Cast start(Environment environment, BrokerKind kind) throws IOException {
    Children children = environment.children();
    DemoBroker broker = environment.broker();
    Path received = children.folder().resolve("received.tsv");
    Process consumer =
        children.start(
            "consumer",
            ConsumerProcess.class.getName(),
            List.of(kind.text(), broker.address(), DemoBroker.TARGET, received.toString()));
    return new Cast(
        new RelayProcess("relay-1", children, environment.relayUrl(), broker),
        new RelayProcess("relay-2", children, environment.relayUrl(), broker),
        consumer,
        received,
        children);
  }

  /** The order service: begins to write at once. */
  static Process startShop(Environment environment, DemoOptions options) {
    return environment
        .children()
        .start(
            "order-service",
            OrderService.class.getName(),
            List.of(
                environment.clientUrl(),
                Integer.toString(options.events()),
                Integer.toString(options.rate())));
  }

  /** Refuses to go on when a process has ended that nobody killed. */
  void requireAlive() throws IOException {
    second.requireAlive();
    children.requireAlive("consumer", consumer);
  }

  /** Lets the relays settle what they have and hand their lanes back. */
  void stopRelays() throws InterruptedException {
    first.stop();
    second.stop();
  }
}

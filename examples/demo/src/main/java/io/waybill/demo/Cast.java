package io.waybill.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The processes that take part.
 *
 * @param first the relay that is killed on the way
 * @param second the relay that lives on, with the console
 * @param console where the console is
 * @param consumer records every copy
 * @param received where it records them
 * @param environment what they use
 */
record Cast(
    RelayProcess first,
    RelayProcess second,
    ConsoleAccess console,
    Process consumer,
    Path received,
    Environment environment) {
  static Cast start(Environment environment, BrokerKind kind) throws IOException {
    Children children = environment.children();
    DemoBroker broker = environment.broker();
    Path received = children.folder().resolve("received.tsv");
    Process consumer =
        children.start(
            "consumer",
            ConsumerProcess.class.getName(),
            List.of(kind.text(), broker.address(), DemoBroker.TARGET, received.toString()));
    ConsoleAccess console = ConsoleAccess.in(children.folder());
    return new Cast(
        new RelayProcess("relay-1", children, first(environment, true)),
        new RelayProcess("relay-2", children, second(environment, console, true)),
        console,
        consumer,
        received,
        environment);
  }

  private static String first(Environment environment, boolean misrouted) {
    return yaml("relay-1", 0, "", environment, misrouted);
  }

  private static String second(Environment environment, ConsoleAccess console, boolean misrouted) {
    return yaml("relay-2", console.port(), console.yaml(), environment, misrouted);
  }

  private static String yaml(
      String name, int port, String api, Environment environment, boolean misrouted) {
    DemoBroker broker = environment.broker();
    return """
        server:
          port: %d
        waybill:
        %s  relay:
            name: %s
          outboxes:
            %s:
              database:
                url: %s
                username: postgres
        %s\
              retry:
                attempts: 3
              routes:
                default:
        %s\
                types:
                  order.returned:
        %s"""
        .formatted(
            port,
            api.indent(2),
            name,
            RelayProcess.OUTBOX,
            environment.relayUrl(),
            broker.yaml().indent(6),
            broker.route(DemoBroker.TARGET).indent(10),
            broker.route(misrouted ? "{header.depot}" : DemoBroker.TARGET).indent(12));
  }

  /** The order service: begins to write at once. */
  static Process startShop(Environment environment, int events, int rate) {
    return environment
        .children()
        .start(
            "order-service",
            OrderService.class.getName(),
            List.of(environment.clientUrl(), Integer.toString(events), Integer.toString(rate)));
  }

  /** Lets relays that start from now on have a route of returns that is wrong, or right. */
  void route(boolean wrong) {
    try {
      first.configure(first(environment, wrong));
      second.configure(second(environment, console, wrong));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the relays that run again, one after the other. */
  void restart() {
    try {
      if (first.isAlive()) {
        first.restart();
        new Lanes(environment).awaitOwned(first);
      }
      second.restart();
      new Lanes(environment).awaitOwned(second);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Refuses to go on when a process has ended that nobody killed. */
  void requireAlive() throws IOException {
    second.requireAlive();
    environment.children().requireAlive("consumer", consumer);
  }

  /** Lets the relays settle what they have and hand their lanes back. */
  void stopRelays() throws InterruptedException {
    first.stop();
    second.stop();
  }
}

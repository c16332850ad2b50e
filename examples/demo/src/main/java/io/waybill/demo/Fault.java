package io.waybill.demo;

import java.util.List;

/**
 * Something that happens once a share of the events is written.
 *
 * @param share of all events, from 0 to 1
 * @param damage whether it does harm, rather than mend it
 * @param action does it
 */
record Fault(double share, boolean damage, Runnable action) {
  /** Kills one relay and the broker, each with -9, and starts both again. */
  static List<Fault> all(RelayProcess relay, DemoBroker broker, Screen screen) {
    return List.of(
        new Fault(0.3, true, () -> killRelay(relay, screen)),
        new Fault(0.6, true, () -> restartBroker(broker, screen)),
        new Fault(0.6, false, () -> startRelay(relay, screen)));
  }

  private static void killRelay(RelayProcess relay, Screen screen) {
    relay.kill();
    screen.event(
        "kill -9 " + relay.name() + ": its lanes pass to the other relay when its lease ends");
  }

  private static void restartBroker(DemoBroker broker, Screen screen) {
    broker.kill();
    screen.event("kill -9 broker: relays try again until it is back");
    broker.start();
    screen.event("broker is back");
  }

  private static void startRelay(RelayProcess relay, Screen screen) {
    relay.startAgain();
    screen.event(relay.name() + " starts again and gets its share of the lanes");
  }
}

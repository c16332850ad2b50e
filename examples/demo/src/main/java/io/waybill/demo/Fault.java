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
  static List<Fault> all(Environment environment, RelayProcess relay, Screen screen) {
    return List.of(
        new Fault(0.3, true, () -> killRelay(environment, relay, screen)),
        new Fault(0.6, true, () -> restartBroker(environment.broker(), screen)),
        new Fault(0.6, false, () -> startRelay(relay, screen)));
  }

  private static void killRelay(Environment environment, RelayProcess relay, Screen screen) {
    relay.kill();
    screen.event("kill -9 " + relay.name() + ": its keys stand still");
    double seconds = new LanesTaken(environment, relay).await();
    screen.event(
        "the other relay carries on with the keys of %s, %.1f s after the kill"
            .formatted(relay.name(), seconds));
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

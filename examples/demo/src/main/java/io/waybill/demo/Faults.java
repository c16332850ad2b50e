package io.waybill.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Everything that can go wrong with the cast of a run. */
final class Faults {
  private final Environment environment;
  private final Cast cast;
  private final Screen screen;
  // From the beginning: nobody has noticed, since nothing was returned.
  private boolean misrouted = true;

  private Faults(Environment environment, Cast cast, Screen screen) {
    this.environment = environment;
    this.cast = cast;
    this.screen = screen;
  }

  /** The buttons, in their order. */
  static List<Fault> all(Environment environment, Cast cast, Screen screen) {
    Faults faults = new Faults(environment, cast, screen);
    return List.of(
        faults.broker(),
        faults.relay(),
        faults.poison(),
        faults.misroute(),
        environment.broker().destination(cast, screen));
  }

  private Fault broker() {
    DemoBroker broker = environment.broker();
    return new Fault(
        Fault.BROKER,
        "Stop the broker",
        "Start the broker",
        "It is killed with -9. The console says that the broker takes no events, and how many wait."
            + " No console starts a broker: press again. Events then flow by themselves, in order.",
        false,
        "overview",
        () -> {
          broker.kill();
          screen.event("kill -9 broker: relays try again until it is back");
        },
        () -> {
          broker.start();
          screen.event("broker is back");
        });
  }

  private Fault relay() {
    RelayProcess relay = cast.first();
    return new Fault(
        Fault.RELAY,
        "Kill a relay",
        "Start it again",
        relay.name()
            + " is killed with -9. The other relay takes its lanes within seconds, and nobody has to do"
            + " anything. The console says from whom it took them, when and why.",
        false,
        "relays",
        () -> {
          relay.kill();
          screen.event("kill -9 " + relay.name() + ": its keys stand still");
          double seconds = new Lanes(environment).awaitTaken(relay);
          screen.event(
              "the other relay carries on with the keys of %s, %.1f s after the kill"
                  .formatted(relay.name(), seconds));
        },
        () -> {
          relay.startAgain();
          screen.event(relay.name() + " starts again and gets its share of the lanes");
        });
  }

  private Fault poison() {
    return new Fault(
        "poison",
        "Send poison",
        "",
        "An order gets an event of two megabytes, more than the broker ever takes. It is parked, and"
            + " what is behind it in its order waits. Plan a skip in the console: the order goes on"
            + " without it.",
        false,
        "failures",
        () -> {
          String order = write(Shop::poison);
          screen.event("an event of 2 MB for " + order + ": its order waits behind it");
        },
        // What is left is skipped once the orders are over.
        () -> {});
  }

  private Fault misroute() {
    return new Fault(
        "misroute",
        "Misroute",
        "Right the route",
        "%d orders are returned, and the route of returns asks for a header that they do not have."
                .formatted(Shop.RETURNS)
            + " They are parked, and their orders wait. Right the route here: both relays start"
            + " again with it, %s with the console too. Then retry the group in the console: nothing"
                .formatted(cast.second().name())
            + " is lost.",
        false,
        "failures",
        () -> {
          if (!misrouted) {
            route(true);
          }
          int returned = write(new Shop()::returned);
          screen.event(returned + " returns without the header that their route asks for");
        },
        () -> {
          screen.event("relays start again with the right route; parked events wait for a retry");
          route(false);
          screen.event("the route of returns is right");
        });
  }

  private void route(boolean wrong) {
    misrouted = wrong;
    cast.route(wrong);
    cast.restart();
  }

  /** A change of the shop in a transaction of its own. */
  private interface Change<T> {
    T write(Connection connection) throws SQLException;
  }

  private <T> T write(Change<T> change) {
    try (Connection connection = environment.connect()) {
      connection.setAutoCommit(false);
      T result = change.write(connection);
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException("The shop could not write: " + e.getMessage(), e);
    }
  }
}

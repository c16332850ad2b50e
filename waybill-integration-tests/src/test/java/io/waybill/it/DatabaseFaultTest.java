package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.PostgresServer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers of the database end and come back while two relays live. The broker does not matter. */
@Tag("long")
class DatabaseFaultTest extends FaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }

  @Test
  void aRestartedDatabaseLosesNothing() {
    try (World world = world("kill_database")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        awaitLanes(world, 2);
        Map<Integer, Long> owners = world.owners();
        standstill(
            world,
            "killed",
            () -> {
              postgres.kill();
              postgres.start();
            });
        for (int i = 0; i < 4; i++) {
          standstill(world, "restarted", postgres::restart);
        }
        // Both relays live: their leases decide, until their locks have been seen again.
        assertThat(world.owners()).isEqualTo(owners);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), 10 * World.MAX_IN_FLIGHT);
    }
  }

  /**
   * A commit waits for the standby, so it has all that a relay was told. Relays begin new sessions
   * there, and wait until the leases of the former ones are over.
   */
  @Test
  void aStandbyThatTakesOverLosesNothing() {
    try (PostgresServer primary = PostgresServer.launch();
        PostgresServer standby = primary.standby();
        Proxy way = Proxy.start(Protocol.PLAIN, primary.port());
        World world = new World(primary, broker, "fail_over", way)) {
      world.relay("a");
      world.relay("b");
      Collection<Long> former;
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        awaitLanes(world, 2);
        former = world.owners().values();
        standstill(
            world,
            "failed over",
            () -> {
              // A part of it that sees others die would show what the standby does not have yet.
              primary.freeze();
              primary.kill();
              standby.promote();
              way.redirect(standby.port());
            });
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), 2 * World.MAX_IN_FLIGHT);
      assertThat(world.owners().values()).doesNotContainAnyElementsOf(former);
    }
  }

  /** Says how many lanes move meanwhile, and how long no event arrives. */
  private static void standstill(World world, String what, Runnable change) {
    Map<Integer, Long> before = world.owners();
    int arrived = world.spy().count();
    change.run();
    awaitArrivals(world, 300);
    Map<Integer, Long> moved = new HashMap<>(world.owners());
    moved.entrySet().removeAll(before.entrySet());
    long[] arrivals =
        world.spy().copiesFrom(arrived - 1).stream().mapToLong(Copy::atMillis).sorted().toArray();
    long standstill =
        IntStream.range(1, arrivals.length)
            .mapToLong(i -> arrivals[i] - arrivals[i - 1])
            .max()
            .orElse(0);
    System.out.printf(
        "database %s: %d lanes moved, nothing arrived for %.2f s%n",
        what, moved.size(), standstill / 1e3);
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each fault of relays and their database, and of single events, once. */
abstract class RelayFaultContract extends FaultContract {
  @Test
  void aKilledRelayIsTakenOverBeforeItsLeaseEnds() {
    try (World world = world("kill_relay")) {
      RelayProcess doomed = world.relay("a");
      world.relay("b");
      Duration takeover;
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        awaitLanes(world, 2);
        doomed.kill();
        Instant killed = Instant.now();
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(50))
            .until(
                () ->
                    world.count("select count(distinct fence) from waybill_lane") == 1
                        && world.count("select count(*) from waybill_lane where fence is null")
                            == 0);
        takeover = Duration.between(killed, Instant.now());
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), World.MAX_IN_FLIGHT);
      assertThat(takeover).isLessThan(LEASE.minusSeconds(5));
    }
  }

  @Tag("long")
  @Test
  void aFrozenRelayThatWakesAfterItsLeaseChangesNothing() {
    try (World world = world("freeze_relay")) {
      RelayProcess zombie = world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        awaitLanes(world, 2);
        zombie.freeze();
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> world.count("select count(*) from waybill_session") == 1);
        zombie.thaw();
        awaitLanes(world, 2);
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), World.MAX_IN_FLIGHT);
    }
  }

  @Tag("long")
  @Test
  void aRestartedDatabaseLosesNothing() {
    try (World world = world("kill_database")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        awaitLanes(world, 2);
        postgres.kill();
        postgres.start();
        for (int i = 0; i < 4; i++) {
          awaitArrivals(world, 300);
          postgres.restart();
        }
        awaitArrivals(world, 300);
        assertThat(shop.written()).isPositive();
      }
      // Both relays live: their leases decide, until their locks have been seen again.
      assertThat(world.count("select count(*) from waybill_lane where taken_at is not null"))
          .isZero();
      assertClean(world, world.converge(PATIENCE), 10 * World.MAX_IN_FLIGHT);
    }
  }

  // Torture stops, kills and starts relays, too.
  @Tag("long")
  @Test
  void oneToFourRelaysJoinLeaveAndDieInOrder() {
    try (World world = world("scale")) {
      ArrayDeque<RelayProcess> relays = new ArrayDeque<>();
      relays.add(world.relay("a"));
      try (Shop shop = world.shop(RATE)) {
        for (String name : List.of("b", "c", "d")) {
          awaitArrivals(world, 300);
          relays.add(world.relay(name));
          awaitLanes(world, relays.size());
        }
        assertThat(relays.remove().stop()).isZero();
        awaitLanes(world, 3);
        relays.remove().kill();
        awaitLanes(world, 2);
        awaitArrivals(world, 300);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), World.MAX_IN_FLIGHT);
    }
  }

  @Test
  void gracefulStopsLeaveNoDuplicates() {
    try (World world = world("graceful")) {
      try (Shop shop = world.shop(RATE)) {
        for (String name : List.of("a", "b", "c")) {
          RelayProcess relay = world.relay(name);
          awaitArrivals(world, 400);
          assertThat(relay.stop()).as(relay.log()).isZero();
        }
        assertThat(world.count("select count(*) from waybill_session")).isZero();
        world.relay("d");
        assertThat(shop.written()).isPositive();
        awaitArrivals(world, 200);
      }
      assertClean(world, world.converge(PATIENCE), 0);
    }
  }

  @Test
  void aPoisonEventParksItsKeyUntilAnOperatorSkipsIt() {
    try (World world = world("poison")) {
      world.configure("retry: {attempts: 2, first-delay: 50ms, longest-delay: 100ms}");
      world.relay("a");
      String poison = "poison-1";
      world.execute(
          connection -> {
            // No route: the topic's, or the routing key's, form is broken by this type.
            connection
                .createStatement()
                .execute(
                    """
                    insert into waybill_outbox
                      (event_id, event_type, aggregate_type, aggregate_id, payload)
                    values ('poison-1', '%s', 'account', 'sick', '{}')"""
                        .formatted("x".repeat(300)));
          });
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(world.withStatus("PARKED")).as(world.logs()).containsExactly(poison));
      world.execute(
          connection -> {
            connection.setAutoCommit(false);
            Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
            Shop.append(connection, outbox, world.type(), "sick", 1);
            Shop.append(connection, outbox, world.type(), "well", 1);
            connection.commit();
          });
      Awaitility.await().atMost(PATIENCE).until(() -> world.spy().distinct() == 1);
      assertThat(world.count("select count(*) from waybill_outbox_status where held")).isOne();
      Operators.request(world, "SKIP", poison, "never wanted");
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(world.spy().distinct()).as(world.logs()).isEqualTo(2));
      assertThat(world.withStatus("DEAD")).isEqualTo(Set.of(poison));
    }
  }
}

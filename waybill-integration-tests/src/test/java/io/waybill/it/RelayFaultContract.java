package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.dialect.PostgresAppend;
import io.waybill.message.EventLimits;
import io.waybill.outbox.CommitNudge;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.oracle.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Each fault once, with real processes, checked against everything that arrived. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RelayFaultContract {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final int RATE = 150;
  // How long to wait for what has to come; says nothing about how fast it is.
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private PostgresServer postgres;
  private BrokerUnderTest broker;

  abstract BrokerUnderTest launchBroker();

  @BeforeAll
  void launch() {
    postgres = PostgresServer.launch();
    broker = launchBroker();
  }

  @AfterAll
  void close() {
    broker.close();
    postgres.close();
  }

  private World world(String name) {
    return new World(postgres, broker, name);
  }

  private static void assertClean(World world, Verdict verdict, int mostDuplicates) {
    assertThat(verdict.clean()).as("%s %s", verdict, world.logs()).isTrue();
    assertThat(verdict.duplicates()).as(verdict.toString()).isLessThanOrEqualTo(mostDuplicates);
    assertThat(world.setAside()).isEmpty();
  }

  private static void awaitArrivals(World world, long more) {
    long goal = world.spy().distinct() + more;
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () -> {
              world.checkRelays();
              assertThat(world.spy().distinct()).as(world.logs()).isGreaterThanOrEqualTo(goal);
            });
  }

  @Test
  void withoutAFaultNothingIsLostInventedReorderedOrDuplicated() {
    try (World world = world("no_fault")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 1_500);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), 0);
    }
  }

  @Test
  void aKilledRelayIsTakenOverWithinLeaseAndTwoSeconds() {
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
      assertThat(takeover).isLessThan(LEASE.plusSeconds(2));
    }
  }

  private static final String MOST_LANES =
      "select max(n) from (select count(*) as n from waybill_lane group by fence) as shares";

  /** Until so many relays own all lanes, none of them more than its share. */
  private static void awaitLanes(World world, int owners) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () ->
                world.count("select count(distinct fence) from waybill_lane") == owners
                    && world.count("select count(*) from waybill_lane where fence is null") == 0
                    && world.count(MOST_LANES) <= (64 + owners - 1) / owners);
  }

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

  @Test
  void aKilledBrokerLosesNothing() {
    try (World world = world("kill_broker")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        broker.kill();
        broker.start();
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), 2 * World.MAX_IN_FLIGHT);
    }
  }

  @Test
  void aBrokerOutageOfAMinuteMakesNoEventDead() {
    try (World world = world("outage")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        broker.kill();
        Instant until = Instant.now().plusSeconds(60);
        Awaitility.await().atMost(Duration.ofSeconds(70)).until(() -> Instant.now().isAfter(until));
        broker.start();
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      Verdict verdict = world.converge(PATIENCE);
      assertClean(world, verdict, 2 * World.MAX_IN_FLIGHT);
      assertThat(world.count("select count(*) from waybill_row_state")).isZero();
    }
  }

  @Test
  void aRestartedDatabaseLosesNothing() {
    try (World world = world("kill_database")) {
      world.relay("a");
      world.relay("b");
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        postgres.kill();
        postgres.start();
        awaitArrivals(world, 500);
        postgres.restart();
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      assertClean(world, world.converge(PATIENCE), 4 * World.MAX_IN_FLIGHT);
    }
  }

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
  void aMissingDestinationDelaysOnlyItsOwnEvents() {
    String missing = "missing.order.archived";
    try (World world = world("missing")) {
      world.configure("retry: {attempts: 1000, first-delay: 100ms, longest-delay: 1s}");
      world.relay("a");
      world.execute(
          connection -> {
            connection.setAutoCommit(false);
            Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
            for (int i = 0; i < 20; i++) {
              Shop.append(connection, outbox, missing, "archive-" + i, 10);
            }
            connection.commit();
          });
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 1_000);
        assertThat(shop.written()).isPositive();
      }
      broker.create(missing);
      try (var late = broker.spy(List.of(missing))) {
        Awaitility.await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(late.distinct()).as(world.logs()).isEqualTo(20));
      }
      assertThat(world.setAside()).isEmpty();
    }
  }

  @Test
  void aMessageThatIsTooLargeIsParkedAndBlocksOnlyItsKey() {
    try (World world = world("too_large")) {
      world.configure("retry: {attempts: 3, first-delay: 50ms, longest-delay: 100ms}");
      world.relay("a");
      String[] large = new String[1];
      world.execute(
          connection -> {
            connection.setAutoCommit(false);
            EventLimits limits =
                EventLimits.builder().maxPayloadBytes(2 * broker.tooLarge()).build();
            Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), limits, CommitNudge.NONE);
            large[0] = Shop.append(connection, outbox, world.type(), "huge", broker.tooLarge());
            Shop.append(connection, outbox, world.type(), "huge", 1);
            connection.commit();
          });
      try (Shop shop = world.shop(RATE)) {
        awaitArrivals(world, 500);
        assertThat(shop.written()).isPositive();
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(world.withStatus("PARKED")).as(world.logs()).contains(large[0]));
      assertThat(world.converge(PATIENCE).clean()).isTrue();
      assertThat(world.setAside()).hasSize(2);
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

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** Faults of real processes, checked against everything that arrived. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultContract {
  static final Duration LEASE = Duration.ofSeconds(15);
  static final int RATE = 150;
  // How long to wait for what has to come; says nothing about how fast it is.
  static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));

  PostgresServer postgres;
  BrokerUnderTest broker;

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

  World world(String name) {
    return new World(postgres, broker, name);
  }

  static void assertClean(World world, Verdict verdict, int mostDuplicates) {
    assertThat(verdict.clean()).as("%s %s", verdict, world.logs()).isTrue();
    assertThat(verdict.duplicates()).as(verdict.toString()).isLessThanOrEqualTo(mostDuplicates);
    assertThat(world.setAside()).isEmpty();
  }

  static void awaitArrivals(World world, long more) {
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

  private static final String MOST_LANES =
      "select max(n) from (select count(*) as n from waybill_lane group by fence) as shares";

  /** Until so many relays own all lanes, none of them more than its share. */
  static void awaitLanes(World world, int owners) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () ->
                world.count("select count(distinct fence) from waybill_lane") == owners
                    && world.count("select count(*) from waybill_lane where fence is null") == 0
                    && world.count(MOST_LANES) <= (64 + owners - 1) / owners);
  }
}

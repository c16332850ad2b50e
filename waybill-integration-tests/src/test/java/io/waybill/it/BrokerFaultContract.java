package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.EventLimits;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.outbox.RelaySignal;
import io.waybill.proof.oracle.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each fault of a broker once, and none. */
abstract class BrokerFaultContract extends FaultContract {
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

  @Tag("long")
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
  void aMissingDestinationDelaysOnlyItsOwnEvents() {
    String missing = "missing.order.archived";
    try (World world = world("missing")) {
      world.configure("retry: {attempts: 2, first-delay: 50ms, longest-delay: 100ms}");
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
            Outbox outbox = new Outbox(PostgresAppend.ofDefaults(), limits, RelaySignal.NONE);
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
}

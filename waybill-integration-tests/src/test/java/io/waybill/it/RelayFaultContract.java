package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.oracle.Verdict;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each fault of relays, and of single events, once. */
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
  void aGroupOfFailuresIsRetriedInOrderWhileARelayDies() {
    try (World world = world("group_retry")) {
      misrouted(world, 40, 10);
      RelayProcess doomed = world.relay("a");
      world.relay("b");
      awaitLanes(world, 2);

      Job end =
          retried(
              world,
              10,
              progress -> doomed.isAlive() && progress.tally().succeeded() > 10,
              doomed::kill);

      assertThat(end.tally().succeeded()).as("%s %s", end, world.logs()).isEqualTo(40);
      assertClean(world, world.converge(PATIENCE), World.MAX_IN_FLIGHT);
    }
  }

  @Tag("long")
  @Test
  void aHundredThousandEventsAreRetriedWhileRelaysDieAndTheBrokerRestarts() {
    try (World world = world("large_group_retry")) {
      misrouted(world, 10_000, 10);
      ArrayDeque<RelayProcess> relays = new ArrayDeque<>();
      relays.add(world.relay("a0"));
      relays.add(world.relay("b0"));
      awaitLanes(world, 2);
      AtomicInteger disturbed = new AtomicInteger();
      Instant began = Instant.now();

      Job end =
          retried(
              world,
              500,
              progress -> progress.tally().succeeded() > 1_500 * (disturbed.get() + 1),
              () -> {
                relays.remove().kill();
                relays.add(world.relay("c" + disturbed.incrementAndGet()));
                if (disturbed.get() == 3) {
                  broker.kill();
                  broker.start();
                }
              });

      System.out.printf(
          "%s in %s, %d disturbances%n",
          end, Duration.between(began, Instant.now()), disturbed.get());
      assertThat(end.tally().succeeded()).as("%s %s", end, world.logs()).isEqualTo(10_000);
      assertThat(disturbed).hasPositiveValue();
      // Those that waited behind them follow: until then they count as set aside.
      Awaitility.await().atMost(PATIENCE).until(() -> world.setAside().isEmpty());
      Verdict verdict = world.converge(PATIENCE);
      System.out.println(verdict);
      assertClean(world, verdict, 10 * World.MAX_IN_FLIGHT);
    }
  }

  @Test
  void aGroupWhoseRouteIsStillWrongIsRetriedNoFurtherThanItsCanary() {
    try (World world = world("still_wrong")) {
      misrouted(world, 20, 1);
      wronglyRouted(world);
      world.relay("a");
      awaitLanes(world, 1);

      Job end = retried(world, 10, progress -> false, () -> {});

      assertThat(end.state()).as("%s %s", end, world.logs()).isEqualTo(Job.State.STOPPED);
      assertThat(end.requested()).isEqualTo(5);
      assertThat(end.tally().failed()).isEqualTo(5);
      assertThat(world.withStatus("PARKED")).hasSize(20);
    }
  }

  private static void wronglyRouted(World world) {
    world.route("{target: \"{header.absent}\"}");
  }

  /** The first event of each key is parked, since no route leads anywhere; the others wait. */
  private static void misrouted(World world, int keys, int each) {
    wronglyRouted(world);
    RelayProcess wrong = world.relay("wrong");
    world.execute(
        connection -> {
          connection.setAutoCommit(false);
          Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
          for (int key = 0; key < keys; key++) {
            for (int i = 0; i < each; i++) {
              Shop.append(connection, outbox, world.type(), "key-" + key, 10);
            }
            connection.commit();
          }
        });
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                world.count("select count(*) from waybill_row_state where state = 'PARKED'") == keys
                    && world.count("select count(*) from waybill_held") == keys * (each - 1L));
    assertThat(wrong.stop()).as(wrong.log()).isZero();
    world.rightRoute();
  }

  /** By a job, whose process ends with each disturbance, and another one goes on. */
  private static Job retried(
      World world, int rate, Predicate<JobRun.Progress> due, Runnable disturbance) {
    Instruction by = new Instruction("test", "the route is right now");
    try (Admin admin = admin(world)) {
      Jobs jobs = Jobs.of(admin);
      FailureGroup group = admin.failures(EventStatus.PARKED, null, 1, 1).get(0);
      JobRun.Pace pace = new JobRun.Pace(5, rate, 5);
      EventFilter filter = FailureGroup.filter(group.id());
      long id = jobs.plan(Verb.RETRY, filter, pace, by.by(), Jobs.MOST_COUNTED).id();
      jobs.run(id, by);
      Instant end = Instant.now().plus(PATIENCE.multipliedBy(5));
      for (int process = 1; ; process++) {
        RunningJob job = jobs.take(id, "process " + process).orElseThrow();
        JobRun run = job.run();
        Awaitility.await()
            .atMost(Duration.between(Instant.now(), end))
            .pollInterval(Duration.ofMillis(100))
            .until(() -> run.step(System.nanoTime()) || due.test(run.progress()));
        if (run.progress().phase() == JobRun.Phase.ENDED) {
          job.end(run.progress().stopped());
          return jobs.find(id).orElseThrow();
        }
        disturbance.run();
        job.leave();
      }
    }
  }

  private static Admin admin(World world) {
    ConnectionFactory connections = ConnectionFactory.postgres(world.url(), new Properties());
    return PostgresOutbox.of(connections, PostgresOptions.ofDefaults()).admin();
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

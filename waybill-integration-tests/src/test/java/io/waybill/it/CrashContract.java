package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Waybill;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.crash.CrashStep;
import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A relay is killed at each step, and a healthy one goes on. Each step has a database and a
 * destination of its own, so several run at once: most of the time goes by until leases end.
 */
@Tag("server")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrashContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));
  private static final int EVENTS = 300;
  private static final int KEYS = 20;
  private static final int AT_ONCE = 4;
  private static final String POISON = "poison-1";
  private static final Set<CrashStep> WITH_A_SECOND_RELAY =
      EnumSet.of(CrashStep.BEFORE_RELEASE, CrashStep.AFTER_RELEASE);
  private static final Set<CrashStep> WITH_A_CLOSED_DESTINATION =
      EnumSet.of(CrashStep.BEFORE_RETRY, CrashStep.AFTER_RETRY);
  private static final Set<CrashStep> AT_THE_END =
      EnumSet.of(CrashStep.BEFORE_LEAVE, CrashStep.AFTER_LEAVE);
  private static final Set<CrashStep> WITH_AN_OPERATOR =
      EnumSet.of(
          CrashStep.BEFORE_READ_HELD,
          CrashStep.AFTER_READ_HELD,
          CrashStep.BEFORE_RECOVER,
          CrashStep.AFTER_RECOVER,
          CrashStep.BEFORE_REQUEST,
          CrashStep.AFTER_REQUEST);

  /**
   * How a run ended.
   *
   * @param inFlight messages that the dead relay had sent and not settled
   * @param verdict of the oracle
   * @param setAside events that are parked, dead or held
   */
  private record Outcome(int inFlight, Verdict verdict, Set<String> setAside) {}

  private final ExecutorService runners = Executors.newFixedThreadPool(AT_ONCE);
  private final Map<CrashStep, Future<Outcome>> outcomes = new EnumMap<>(CrashStep.class);
  private PostgresServer postgres;
  private BrokerUnderTest broker;

  abstract BrokerUnderTest launchBroker();

  @BeforeAll
  void launch() {
    postgres = PostgresServer.launch(Map.of("max_connections", "200"));
    broker = launchBroker();
    for (CrashStep step : CrashStep.values()) {
      outcomes.put(step, runners.submit(() -> run(step)));
    }
  }

  @AfterAll
  void close() {
    runners.shutdownNow();
    broker.close();
    postgres.close();
  }

  private Outcome run(CrashStep step) {
    String name = "crash_" + step.name().toLowerCase(Locale.ROOT);
    try (World world = new World(postgres, broker, name)) {
      if (WITH_A_CLOSED_DESTINATION.contains(step)) {
        broker.createClosed(closedDestination(world));
      }
      world.execute(connection -> write(connection, world.type(), poison(world, step)));
      try (DoomedProcess doomed = new DoomedProcess(world.url(), broker.address(), step)) {
        if (WITH_A_SECOND_RELAY.contains(step)) {
          awaitArrivals(world, doomed);
          try (Waybill second = healthy(world)) {
            int inFlight = doomed.awaitDeath();
            assertThat(second.health()).isNotNull();
            return outcome(world, step, inFlight);
          }
        }
        provoke(world, doomed, step);
        int inFlight = doomed.awaitDeath();
        if (WITH_A_CLOSED_DESTINATION.contains(step)) {
          broker.open(closedDestination(world));
        }
        try (Waybill next = healthy(world)) {
          assertThat(next.health()).isNotNull();
          return outcome(world, step, inFlight);
        }
      }
    }
  }

  private Waybill healthy(World world) {
    return CrashRelays.start(
        "healthy", world.url(), broker.address(), tables -> tables, publisher -> publisher);
  }

  /** Without a possible destination an event is given up at once; a refusal is tried again. */
  private static String poison(World world, CrashStep step) {
    return WITH_A_CLOSED_DESTINATION.contains(step) ? closedDestination(world) : "x".repeat(300);
  }

  private static String closedDestination(World world) {
    return world.type() + ".closed";
  }

  /** Events of some keys, and one key whose first event cannot be sent. */
  private static void write(Connection connection, String type, String poison) throws SQLException {
    Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('%s', '%s', 'account', 'sick', '{}')"""
              .formatted(POISON, poison));
    }
    Shop.append(connection, outbox, type, "sick", 1);
    connection.commit();
    for (int i = 0; i < EVENTS; i++) {
      Shop.append(connection, outbox, type, "key-" + i % KEYS, 20);
      if (i % 9 == 8) {
        connection.rollback();
      } else {
        connection.commit();
      }
    }
  }

  private static void provoke(World world, DoomedProcess doomed, CrashStep step) {
    if (AT_THE_END.contains(step)) {
      awaitArrivals(world, doomed);
      doomed.terminate();
    } else if (WITH_AN_OPERATOR.contains(step)) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                doomed.assertAlive();
                return world.withStatus("PARKED").size() == 1 && world.setAside().size() == 2;
              });
      Operators.request(world, "SKIP", POISON, "never wanted");
    }
  }

  private static void awaitArrivals(World world, DoomedProcess doomed) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              doomed.assertAlive();
              return world.spy().distinct() > EVENTS / 2;
            });
  }

  private static Outcome outcome(World world, CrashStep step, int inFlight) {
    world.converge(PATIENCE);
    // Settled too: nothing is left that would be sent again.
    await().atMost(PATIENCE).until(() -> world.setAside().size() == expectedAside(step));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                world.count(
                        """
                        select count(*) from waybill_outbox_status
                        where status = 'PENDING' and not held""")
                    == 0);
    return new Outcome(inFlight, world.verdict(), world.setAside());
  }

  @ParameterizedTest
  @EnumSource(CrashStep.class)
  void aRelayKilledAtAnyStepIsReplaced(CrashStep step)
      throws ExecutionException, InterruptedException {
    Outcome outcome = Objects.requireNonNull(outcomes.get(step)).get();
    assertThat(outcome.verdict().clean()).as(outcome.toString()).isTrue();
    assertThat(outcome.verdict().duplicates())
        .as(outcome.toString())
        .isLessThanOrEqualTo(outcome.inFlight());
    assertThat(outcome.verdict().delivered()).isGreaterThan(EVENTS / 2);
    assertThat(outcome.setAside()).as(outcome.toString()).hasSize(expectedAside(step));
  }

  /** The event that cannot be sent, and the one behind it, unless they could go on. */
  private static int expectedAside(CrashStep step) {
    if (WITH_A_CLOSED_DESTINATION.contains(step)) {
      return 0;
    }
    return WITH_AN_OPERATOR.contains(step) ? 1 : 2;
  }
}

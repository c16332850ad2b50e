package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.message.Destination;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one seed's run is made of: sizes, settings, and which kinds of fault occur how often. */
final class Swarm {
  static final String DEAD_LETTERS = "dead-letters";
  static final Duration DELIVERY_TIMEOUT = Duration.ofMillis(1500);
  static final int ROW_BYTES = 616;

  /** Destinations of a run that has many. */
  private static final int MANY = 12;

  /** In the longest runs, on average. */
  private static final long EVENT_EVERY = World.seconds(20);

  /** Faults of the database and of the way to it. */
  record StoreFaults(
      double failBefore, double unreported, double slow, boolean crashes, boolean outages) {}

  /** Faults of the broker and of the way to it. */
  record BrokerFaults(
      double lost,
      double late,
      double confirmLost,
      double refused,
      boolean outages,
      boolean destinationOutages,
      boolean closes) {}

  /** Faults of relay processes. */
  record RelayFaults(double crashAtEffect, boolean pauses, boolean stops, boolean clockDrift) {}

  /** What producers do. */
  record Producers(
      double rollback, double savepoint, double async, double slowCommit, double delayed) {}

  /**
   * What people do with SQL.
   *
   * @param changes whether they mark, remove and set back rows, and lock some
   * @param refusing share of rows whose changes a trigger refuses
   * @param renumbers whether they empty the table, or reset its sequence, so that ids come again
   */
  record People(boolean changes, double refusing, boolean renumbers) {}

  /** Events that no broker takes. */
  record Poison(double rejected, double unmappable, double deadLetterRefused) {}

  final boolean faultFree;
  final boolean kafka;
  final int relays;
  final int lanes;
  final int keys;
  final int events;
  final boolean keepPublished;
  final boolean mixedKeys;
  final List<String> destinations = new ArrayList<>();
  final List<FailurePolicy> policies = new ArrayList<>();
  final EngineSettings settings;
  final RetryPolicy retries;
  final StoreFaults store;
  final BrokerFaults broker;
  final RelayFaults relay;
  final Producers producers;
  final Poison poison;
  final boolean clockJumps;
  final boolean operators;
  final People people;
  final boolean otherServers;
  final boolean lockEnds;
  final long load;
  final @Nullable LongRefusal refusal;

  private final Dice dice;

  Swarm(Dice dice, @Nullable LongRefusal given) {
    this.dice = dice;
    this.kafka = given == null ? dice.chance(0.5) : given.why().isKafka();
    this.refusal = given == null ? refusal() : given;
    boolean alone = refusal != null && refusal.alone();
    this.faultFree = alone || dice.chance(0.08);
    this.relays = dice.between(2, 3);
    this.lanes = dice.pick(List.of(3, 4, 8, 8, 16));
    this.keys = dice.pick(alone ? List.of(20, 60) : List.of(3, 8, 20, 60));
    this.load = refusal == null ? dice.millis(2_000, 9_000) : refusal.load();
    this.events = Math.max(dice.between(200, 260), (int) (load / EVENT_EVERY));
    this.keepPublished = dice.chance(0.5);
    this.mixedKeys = !alone && dice.chance(0.3);
    for (int i = dice.chance(0.1) ? MANY : dice.between(refusal == null ? 1 : 2, 4); i > 0; i--) {
      destinations.add(kafka ? "topic-" + i : "exchange-" + i % 2 + "/key-" + i);
      policies.add(policy());
    }
    this.settings = engineSettings();
    this.retries =
        RetryPolicy.builder()
            .exponential(Duration.ofMillis(40), 2, Duration.ofMillis(800))
            .attemptLimit(dice.between(1, 5))
            .build();
    this.producers =
        new Producers(
            some(0.5, 0.15),
            some(0.4, 0.1),
            some(0.5, 0.5),
            some(0.6, 0.3),
            alone ? 0 : some(0.2, 0.1));
    this.poison =
        faultFree
            ? new Poison(0, 0, 0)
            : new Poison(
                some(0.4, dice.chance(0.3) ? 0.15 : 0.02), some(0.2, 0.02), some(0.3, 0.5));
    this.store = storeFaults();
    this.broker = brokerFaults();
    this.relay =
        faultFree
            ? new RelayFaults(0, false, !alone && dice.chance(0.6), false)
            : new RelayFaults(
                some(0.4, 0.004), dice.chance(0.4), dice.chance(0.4), dice.chance(0.4));
    // A jump would make it undecidable when exactly a delayed event became due.
    this.clockJumps = !faultFree && producers.delayed() == 0 && dice.chance(0.2);
    this.operators = !alone && dice.chance(0.35);
    this.people =
        faultFree
            ? new People(false, 0, false)
            : new People(dice.chance(0.3), some(0.15, 0.03), dice.chance(0.15));
    this.otherServers = !faultFree && dice.chance(0.15);
    this.lockEnds = !faultFree && dice.chance(0.4);
  }

  private @Nullable LongRefusal refusal() {
    return dice.chance(0.006)
        ? new LongRefusal(
            dice.pick(Refusal.of(kafka)), dice.millis(60_000, 120_000), dice.chance(0.6))
        : null;
  }

  private double some(double presence, double most) {
    return dice.chance(presence) ? most * (0.1 + 0.9 * dice.upTo(1000) / 1000.0) : 0;
  }

  private FailurePolicy policy() {
    return switch (dice.upTo(3)) {
      case 0 -> new FailurePolicy.Park();
      case 1 -> new FailurePolicy.Bury(null);
      default -> new FailurePolicy.Bury(Destination.topic(DEAD_LETTERS));
    };
  }

  private StoreFaults storeFaults() {
    return faultFree
        ? new StoreFaults(0, 0, 0, false, false)
        : new StoreFaults(
            some(0.3, 0.1), some(0.4, 0.1), some(0.3, 0.05), dice.chance(0.3), dice.chance(0.25));
  }

  private BrokerFaults brokerFaults() {
    return faultFree
        ? new BrokerFaults(0, 0, 0, 0, false, false, false)
        : new BrokerFaults(
            some(0.3, 0.03),
            some(0.3, 0.03),
            some(0.3, 0.03),
            some(0.3, 0.05),
            dice.chance(0.3),
            dice.chance(0.4),
            dice.chance(0.3));
  }

  private EngineSettings engineSettings() {
    boolean tiny = dice.chance(0.3);
    int maxRows = tiny ? dice.between(2, 20) : 2_000;
    int batch = tiny ? dice.between(1, 10) : dice.pick(List.of(3, 20, 200));
    return new EngineSettings(
        maxRows,
        tiny && dice.chance(0.5) ? (long) maxRows * ROW_BYTES : 10_000_000L,
        dice.pick(List.of(1, 10, 400)),
        Duration.ofMillis(dice.between(0, 20)),
        Polling.adaptive(
                Duration.ofMillis(dice.between(5, 30)), Duration.ofMillis(dice.between(100, 300)))
            .batch(batch),
        Duration.ofMillis(3_000),
        Duration.ofMillis(600),
        Duration.ofMillis(dice.between(200, 500)),
        DELIVERY_TIMEOUT,
        dice.pick(List.of(2, 10, 500)),
        kafka ? dice.pick(List.of(2, 5, 100)) : 1,
        dice.pick(List.of(1, 2, 1_000)),
        dice.pick(List.of(1, 1, 3, 1_000)));
  }

  /**
   * Most destinations that a relay may remember: with a breaker of their own or in common, and
   * those that an operator paused.
   */
  int mostRemembered() {
    int breakers = settings.maxBreakers();
    return breakers + Math.max(1, breakers / 10) + 2 + (operators ? destinations.size() : 0);
  }

  FailurePolicy policyOf(String destination) {
    int index = destinations.indexOf(destination);
    return policies.get(Math.max(0, index));
  }

  static long leaseNanos() {
    return 3_000 * MS;
  }

  @Override
  public String toString() {
    return (faultFree ? "fault-free " : "")
        + (kafka ? "kafka" : "rabbitmq")
        + " relays="
        + relays
        + " lanes="
        + lanes
        + " keys="
        + keys
        + " "
        + destinations
        + policies
        + " mixed="
        + mixedKeys
        + " keep="
        + keepPublished
        + "\n  "
        + settings
        + "\n  attempts "
        + retries.attemptLimit()
        + " "
        + store
        + "\n  "
        + broker
        + "\n  "
        + relay
        + " "
        + producers
        + " "
        + poison
        + " clockJumps="
        + clockJumps
        + " operators="
        + operators
        + " "
        + people
        + " otherServers="
        + otherServers
        + " lockEnds="
        + lockEnds
        + (refusal == null ? "" : " " + refusal);
  }
}

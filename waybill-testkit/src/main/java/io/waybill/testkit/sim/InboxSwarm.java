package io.waybill.testkit.sim;

import static io.waybill.testkit.sim.Dice.MS;

import io.waybill.inbox.InboxSettings;
import io.waybill.inbox.UnknownTypes;
import io.waybill.retry.Backoff;
import io.waybill.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** What one seed's run of inboxes is made of. */
final class InboxSwarm {
  /** Faults of processes and of the database. */
  record Faults(
      double crash,
      double callFails,
      double commitLost,
      double rolledBack,
      double refused,
      boolean freezes,
      boolean databaseDown) {}

  /** Faults of the broker. */
  record BrokerFaults(boolean revokes, boolean loses, double letterLost, double letterRefused) {}

  /** How many events of each kind there are among a thousand. */
  record Poison(int flaky, int permanent, int endless, int killer, int unknown, int undecodable) {}

  final boolean faultFree;
  final boolean kafka;
  final int consumers;
  final int processes;
  final int lanes;
  final int keys;
  final int events;
  final boolean batches;
  final UnknownTypes unknownTypes;
  final InboxSettings settings;
  final Faults faults;
  final BrokerFaults broker;
  final Poison poison;
  final boolean stops;
  final int prefetch;
  final long load;
  // Nobody else gets a copy of what a consumer does.
  final boolean alone;
  // Events of a thousand that an operator has sent again for a consumer.
  final int redriven;
  // How likely an operator sends a letter again.
  final double redrives;
  // Events of a thousand that the table of deferred events does not take.
  final int bulky;
  // Events of a thousand that were made of another one, with its headers.
  final int derived;

  InboxSwarm(Dice dice) {
    this.faultFree = dice.chance(0.08);
    this.kafka = dice.chance(0.5);
    this.consumers = dice.chance(0.4) ? 2 : 1;
    this.processes = dice.between(1, 3);
    this.lanes = dice.between(1, 4);
    this.keys = dice.pick(List.of(2, 5, 12, 40));
    this.events = dice.between(40, 90);
    this.batches = dice.chance(0.5);
    this.unknownTypes = dice.chance(0.5) ? UnknownTypes.DEAD_LETTER : UnknownTypes.IGNORE;
    this.settings = settings(dice);
    this.faults =
        faultFree
            ? new Faults(0, 0, 0, 0, 0, false, false)
            : new Faults(
                some(dice, 0.5, 0.004),
                some(dice, 0.4, 0.05),
                some(dice, 0.4, 0.05),
                some(dice, 0.3, 0.05),
                some(dice, 0.3, 0.05),
                dice.chance(0.4),
                dice.chance(0.3));
    this.broker =
        faultFree
            ? new BrokerFaults(false, false, 0, 0)
            : new BrokerFaults(
                dice.chance(0.5), dice.chance(0.4), some(dice, 0.4, 0.4), some(dice, 0.4, 0.4));
    this.poison =
        new Poison(
            dice.chance(0.7) ? dice.between(20, 300) : 0,
            dice.chance(0.5) ? dice.between(10, 100) : 0,
            dice.chance(0.4) ? dice.between(10, 60) : 0,
            !faultFree && dice.chance(0.2) ? dice.between(5, 20) : 0,
            dice.chance(0.3) ? dice.between(10, 80) : 0,
            dice.chance(0.3) ? dice.between(10, 50) : 0);
    this.stops = dice.chance(0.4);
    this.prefetch = dice.pick(List.of(5, 20, 100));
    this.load = dice.millis(300, 2_500);
    this.alone = dice.chance(0.5);
    this.redriven = dice.chance(0.4) ? dice.between(20, 200) : 0;
    this.bulky = dice.chance(0.4) ? dice.between(20, 300) : 0;
    this.redrives = some(dice, 0.6, 1);
    this.derived = dice.chance(0.4) ? dice.between(20, 300) : 0;
  }

  private static double some(Dice dice, double presence, double most) {
    return dice.chance(presence) ? most * (0.1 + 0.9 * dice.upTo(1000) / 1000.0) : 0;
  }

  private static InboxSettings settings(Dice dice) {
    int maxEvents = dice.pick(List.of(4, 15, 1_000));
    return InboxSettings.defaults()
        .workers(dice.pick(List.of(1, 2, 4, 8)))
        .memory(maxEvents, 10_000_000)
        .retries(
            RetryPolicy.builder()
                .exponential(Duration.ofMillis(5), 3, Duration.ofMillis(50))
                .attemptLimit(dice.between(1, 4))
                .build(),
            RetryPolicy.builder()
                .exponential(Duration.ofMillis(20), 2, Duration.ofMillis(300))
                .attemptLimit(dice.between(2, 6))
                .build())
        .shared(
            new InboxSettings.Shared(
                dice.pick(List.of(1, 3, 20)), Duration.ofMillis(dice.between(2, 40))))
        .pauses(
            new Backoff.Exponential(Duration.ofMillis(10), 2, Duration.ofMillis(200)),
            new Backoff.Exponential(Duration.ofMillis(20), 2, Duration.ofMillis(400)))
        .deferred(
            new InboxSettings.Deferred(
                Duration.ofMillis(dice.between(5, 50)),
                dice.pick(List.of(1, 4, 64)),
                Duration.ofMillis(dice.between(100, 1_500))));
  }

  /** The longest that a lane waits for its running handlers. */
  static long revocationBound() {
    return 30 * MS;
  }

  @Override
  public String toString() {
    return (faultFree ? "fault-free " : "")
        + (kafka ? "kafka" : "rabbitmq")
        + " consumers="
        + consumers
        + " processes="
        + processes
        + " lanes="
        + lanes
        + " keys="
        + keys
        + " events="
        + events
        + " batches="
        + batches
        + " "
        + unknownTypes
        + " stops="
        + stops
        + " prefetch="
        + prefetch
        + " alone="
        + alone
        + " redriven="
        + redriven
        + " bulky="
        + bulky
        + " redrives="
        + redrives
        + " derived="
        + derived
        + "\n  "
        + settings
        + "\n  "
        + faults
        + " "
        + broker
        + " "
        + poison;
  }
}

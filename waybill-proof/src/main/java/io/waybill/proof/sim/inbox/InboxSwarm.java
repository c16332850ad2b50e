package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.handler.UnknownTypes;
import io.waybill.policy.Backoff;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.proof.sim.seed.Dice;
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

  /**
   * What goes wrong with events of the first keys until it is healed, in a run where nothing else
   * does: other keys must not notice.
   *
   * @param keys how many keys have such events, 0 for none
   * @param letters of a thousand, those whose letters are refused
   * @param values those whose values the database refuses
   * @param hanging those whose handlers hang
   */
  record Lasting(int keys, int letters, int values, int hanging) {
    static Lasting of(Dice dice) {
      return new Lasting(
          dice.between(1, 2), dice.between(0, 300), dice.between(0, 200), dice.between(0, 200));
    }
  }

  /** How soon an event of another key is done with. */
  static final long LASTING_BOUND = 1_000 * MS;

  /** Faults of the broker. */
  record BrokerFaults(
      boolean revokes, boolean loses, boolean rewrites, double letterLost, double letterRefused) {}

  /** How many events of each kind there are among a thousand. */
  record Poison(
      int flaky,
      int permanent,
      int endless,
      int killer,
      int hanging,
      int unknown,
      int undecodable) {}

  /**
   * Statements of handlers that end the transaction.
   *
   * @param implicit whether it is a database on which the next transaction begins unasked, and an
   *     error may roll one back: as MySQL and MariaDB, not as PostgreSQL
   * @param seen whether the inbox sees what handlers run
   * @param commits how many handlers of a thousand run one that commits
   * @param rollbacks how many run one that rolls back
   */
  record Statements(boolean implicit, boolean seen, int commits, int rollbacks) {
    /** PostgreSQL does not show what was run past the inbox, and nothing is promised of it. */
    static Statements of(Dice dice) {
      boolean implicit = dice.chance(0.5);
      boolean seen = !implicit || dice.chance(0.5);
      int commits = dice.chance(0.4) ? dice.between(10, 300) : 0;
      return new Statements(implicit, seen, commits, dice.chance(0.25) ? dice.between(10, 100) : 0);
    }
  }

  // With room for all that the table may have in memory.
  private static final InboxSettings.Deferred ROOMY =
      new InboxSettings.Deferred(Duration.ofMillis(20), 64, Duration.ofMillis(1_000));

  final boolean faultFree;
  // So little fails that events share transactions most of the time.
  final boolean sharing;
  final Lasting lasting;
  // Now and then a handler takes its time.
  final boolean slow;
  final boolean kafka;
  final int consumers;
  final int processes;
  final int lanes;
  // Whether another one is added while these are read.
  final boolean grows;
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
  final Statements statements;
  // Whether all processes die at the end, with a backlog of slow events before them.
  final boolean restarts;

  InboxSwarm(Dice dice) {
    this.faultFree = dice.chance(0.08);
    this.sharing = !faultFree && dice.chance(0.12);
    boolean lasts = !faultFree && !sharing && dice.chance(0.15);
    this.lasting = lasts ? Lasting.of(dice) : new Lasting(0, 0, 0, 0);
    this.slow = dice.chance(0.3);
    this.kafka = dice.chance(0.5);
    this.consumers = dice.chance(0.4) ? 2 : 1;
    this.processes = dice.between(1, 3);
    this.lanes = dice.between(1, 4);
    this.keys = dice.pick(List.of(2, 5, 12, 40));
    this.events = dice.between(40, 90);
    this.batches = !sharing && dice.chance(0.5);
    this.unknownTypes = dice.chance(0.5) ? UnknownTypes.DEAD_LETTER : UnknownTypes.IGNORE;
    InboxSettings any = settings(dice);
    if (lasts) {
      any = any.memory(1_000, 10_000_000).deferred(ROOMY);
    }
    this.settings =
        sharing
            ? any.workers(dice.between(1, 2))
                .memory(1_000, 10_000_000)
                .shared(new InboxSettings.Shared(20, Duration.ofMillis(40)))
            : any;
    this.faults =
        faultFree || sharing || lasts
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
        faultFree || lasts
            ? new BrokerFaults(false, false, false, 0, 0)
            : new BrokerFaults(
                dice.chance(0.5),
                dice.chance(0.4),
                dice.chance(0.3),
                some(dice, 0.4, 0.4),
                some(dice, 0.4, 0.4));
    this.poison =
        sharing || lasts
            ? new Poison(sharing ? dice.between(0, 60) : 0, 0, 0, 0, 0, 0, 0)
            : poison(dice);
    this.stops = !lasts && dice.chance(0.4);
    this.prefetch = lasts ? 1_000 : dice.pick(List.of(5, 20, 100));
    this.load = sharing ? dice.millis(20, 150) : dice.millis(300, 2_500);
    this.alone = dice.chance(0.5);
    this.redriven = dice.chance(0.4) ? dice.between(20, 200) : 0;
    this.bulky = dice.chance(0.4) ? dice.between(20, 300) : 0;
    this.redrives = some(dice, 0.6, 1);
    this.derived = dice.chance(0.4) ? dice.between(20, 300) : 0;
    this.statements = lasts ? new Statements(true, true, 0, 0) : Statements.of(dice);
    this.grows = !faultFree && !lasts && dice.chance(0.3);
    boolean roomy = settings.maxEvents() >= 1_000 && (kafka || prefetch >= 100);
    this.restarts = roomy && !lasts && settings.workers() >= 4 && dice.chance(0.3);
  }

  /** Whether nothing is wrong with the events of a key, though it is with those of others. */
  boolean isSpared(int key) {
    return lasting.keys > 0 && (key < 0 || key >= lasting.keys);
  }

  /** Whether they are done in time: not where handlers that hang may have all workers. */
  boolean promisesTime(int key) {
    return isSpared(key) && (lasting.hanging == 0 || settings.workers() > lasting.keys);
  }

  private Poison poison(Dice dice) {
    return new Poison(
        dice.chance(0.7) ? dice.between(20, 300) : 0,
        dice.chance(0.5) ? dice.between(10, 100) : 0,
        dice.chance(0.4) ? dice.between(10, 60) : 0,
        !faultFree && dice.chance(0.2) ? dice.between(5, 20) : 0,
        dice.chance(0.3) ? dice.between(5, 60) : 0,
        dice.chance(0.3) ? dice.between(10, 80) : 0,
        dice.chance(0.3) ? dice.between(10, 50) : 0);
  }

  private static double some(Dice dice, double presence, double most) {
    return dice.chance(presence) ? most * (0.1 + 0.9 * dice.upTo(1000) / 1000.0) : 0;
  }

  private static InboxSettings settings(Dice dice) {
    int maxEvents = dice.pick(List.of(4, 15, 1_000));
    return InboxSettings.ofDefaults()
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
        .alone(new InboxSettings.Alone(3, Duration.ofMillis(dice.pick(List.of(0, 50, 400)))))
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
    return (faultFree ? "fault-free " : sharing ? "sharing " : "")
        + (lasting.keys > 0 ? lasting + " " : "")
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
        + " restarts="
        + restarts
        + "\n  "
        + settings
        + "\n  "
        + faults
        + " "
        + broker
        + " "
        + poison
        + " "
        + statements
        + (grows ? " grows" : "");
  }
}

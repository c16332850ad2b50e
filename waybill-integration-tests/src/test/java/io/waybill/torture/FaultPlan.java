package io.waybill.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What is to happen when: the same for the same seed, pair and length. Kinds are dealt like cards,
 * so that even a short run has most of them, and one of ten minutes has each at least once, 40
 * faults and 10 kills. Early in each span one destination begins to refuse, for one to three
 * minutes or until the span's end, people use SQL, and old events are written.
 *
 * @param epochs spans of faults, each followed by healing, convergence and a quiet span
 * @param quiet how long it is quiet after each of them
 */
record FaultPlan(List<Epoch> epochs, Duration quiet) {
  static final int LONGEST_REFUSAL_MILLIS = 180_000;

  static final int MOST_AT_ONCE = 3;
  static final int PROCESSES = 3;

  /** All processes at once, because they have one way to the broker. */
  static final int ALL = -1;

  private static final Duration MEAN_GAP = Duration.ofSeconds(8);
  private static final Duration LONGEST_MEAN_GAP = Duration.ofSeconds(10);
  private static final Duration LONG_RUN = Duration.ofMinutes(4);
  // What it takes to heal and converge.
  private static final Duration BETWEEN = Duration.ofSeconds(20);

  /**
   * One fault.
   *
   * @param at when it begins, from the begin of its epoch
   * @param kind what it is
   * @param role of the processes
   * @param process number of the one that it hits, from 0, or {@link #ALL}; means nothing for other
   *     targets
   * @param length how long it lasts, or how long the victim of a kill stays away
   * @param dice chooses among its variants
   */
  record Entry(Duration at, FaultKind kind, Role role, int process, Duration length, int dice) {
    String target() {
      return switch (kind.place()) {
        case RELAY, CONSUMER -> role.name(process);
        case RELAY_CLOCK -> role.name(process) + "/clock";
        case CONSUMERS -> role.all();
        case TOPIC -> "topics";
        case DATABASE -> "database";
        case BROKER -> "broker";
        case DATABASE_LINK -> role.name(process) + "/database";
        case BROKER_LINK -> (process == ALL ? role.all() : role.name(process)) + "/broker";
        case WRITERS_LINK -> "writers/database";
        case DESTINATION -> "destination";
        case PEOPLE -> "rows";
        case WRITERS -> "writers";
      };
    }

    @Override
    public String toString() {
      return "%7.1f s %s %s %.1f s"
          .formatted(at.toMillis() / 1e3, kind.label(), target(), length.toMillis() / 1e3);
    }
  }

  /**
   * A span with faults.
   *
   * @param length how long it lasts
   * @param entries its faults in the order of their begins
   */
  record Epoch(Duration length, List<Entry> entries) {}

  static FaultPlan of(long seed, Duration length, Deck deck, boolean oneBrokerLink) {
    Random random = new Random(seed);
    boolean isLong = length.compareTo(LONG_RUN) >= 0;
    Duration quiet = Duration.ofSeconds(isLong ? 20 : 10);
    Duration each = Duration.ofSeconds(isLong ? 150 : 60);
    Duration cycle = each.plus(quiet).plus(BETWEEN);
    long cycles = Math.max(1, Math.round((double) length.toMillis() / cycle.toMillis()));
    long faulty = length.toMillis() / cycles - quiet.plus(BETWEEN).toMillis();
    Duration span = Duration.ofMillis(Math.max(20_000, faulty));
    List<FaultKind> cards = new ArrayList<>();
    List<FaultKind> refusals = new ArrayList<>();
    List<Epoch> epochs = new ArrayList<>();
    for (int i = 0; i < cycles; i++) {
      List<Entry> entries = entries(random, span, deck, cards, oneBrokerLink);
      dealt(random, deck.refusals(), refusals)
          .ifPresent(kind -> entries.add(early(random, span, kind, deck.role())));
      deck.beside().forEach(kind -> entries.add(early(random, span, kind, deck.role())));
      entries.sort(Comparator.comparing(Entry::at));
      epochs.add(new Epoch(span, List.copyOf(entries)));
    }
    return new FaultPlan(List.copyOf(epochs), quiet);
  }

  /** Early in a span, whose end is its end too. */
  private static Entry early(Random random, Duration span, FaultKind kind, Role role) {
    Duration at = between(random, 0, (int) span.toMillis() / 5);
    return new Entry(at, kind, role, 0, length(random, kind), random.nextInt(1 << 16));
  }

  /** The next card; all are shuffled again when there are none. */
  private static Optional<FaultKind> dealt(
      Random random, List<FaultKind> deck, List<FaultKind> cards) {
    if (cards.isEmpty()) {
      cards.addAll(deck);
      Collections.shuffle(cards, random);
    }
    return cards.isEmpty() ? Optional.empty() : Optional.of(cards.remove(cards.size() - 1));
  }

  private static List<Entry> entries(
      Random random, Duration length, Deck deck, List<FaultKind> cards, boolean oneBrokerLink) {
    List<Entry> entries = new ArrayList<>();
    for (Duration at : begins(random, length)) {
      FaultKind kind = dealt(random, deck.kinds(), cards).orElse(null);
      if (kind == null) {
        break;
      }
      int process = random.nextInt(PROCESSES);
      boolean all = oneBrokerLink && kind.place() == FaultKind.Place.BROKER_LINK;
      Duration lasting = length(random, kind);
      int hit = all ? ALL : process;
      entries.add(new Entry(at, kind, deck.role(), hit, lasting, random.nextInt(1 << 16)));
    }
    return entries;
  }

  /** Drawn again while chance makes them too few. */
  private static List<Duration> begins(Random random, Duration length) {
    List<Duration> begins = new ArrayList<>();
    while (begins.size() < length.dividedBy(LONGEST_MEAN_GAP)) {
      begins.clear();
      Duration at = gap(random).dividedBy(4);
      while (at.compareTo(length) < 0) {
        begins.add(at);
        at = at.plus(gap(random));
      }
    }
    return begins;
  }

  private static Duration gap(Random random) {
    double exponential = -Math.log(1 - random.nextDouble()) * MEAN_GAP.toMillis();
    return Duration.ofMillis((long) Math.min(exponential, 4.0 * MEAN_GAP.toMillis()));
  }

  private static Duration length(Random random, FaultKind kind) {
    return switch (kind) {
      case RELAY_KILL, CONSUMER_KILL -> between(random, 500, 12_000);
      case RELAY_FREEZE, CONSUMER_FREEZE ->
          random.nextInt(3) == 0 ? between(random, 1_000, 10_000) : between(random, 17_000, 28_000);
      case RELAY_FAILURE -> between(random, 500, 3_000);
      case LOCK_ENDED -> between(random, 500, 2_000);
      case RELAY_STOP, CONSUMER_STOP -> between(random, 0, 4_000);
      case CONSUMER_DEPLOY, TOPIC_GROWN -> between(random, 0, 2_000);
      case TOPIC_REMADE -> between(random, 20_000, 40_000);
      case RELAY_CLOCK -> between(random, 5_000, 25_000);
      case DATABASE_KILL, BROKER_KILL -> between(random, 0, 8_000);
      case DATABASE_FREEZE, BROKER_FREEZE -> between(random, 2_000, 15_000);
      case DATABASE_FULL -> between(random, 4_000, 15_000);
      case DATABASE_SET_BACK, DATABASE_FAIL_OVER, DATABASE_READ_ONLY ->
          between(random, 2_000, 10_000);
      case BROKER_ALARM, BROKER_FULL -> between(random, 2_000, 12_000);
      case DATABASE_HOLE, BROKER_HOLE -> between(random, 2_000, 25_000);
      case DATABASE_SLOW, BROKER_SLOW -> between(random, 5_000, 20_000);
      case DATABASE_RESET, BROKER_RESET -> between(random, 0, 4_000);
      case COMMIT_REPLY_LOST, CONFIRM_LOST, WRITER_COMMIT_REPLY_LOST ->
          between(random, 3_000, 15_000);
      case ROWS_BY_SQL -> between(random, 10_000, 20_000);
      case OLD_EVENTS -> between(random, 5_000, 15_000);
      case QUEUE_FULL, EXCHANGE_MISSING, BINDING_MISSING, TOPIC_MISSING, ACCESS_REFUSED ->
          between(random, 60_000, LONGEST_REFUSAL_MILLIS);
    };
  }

  private static Duration between(Random random, int least, int most) {
    return Duration.ofMillis(least + random.nextInt(most - least));
  }
}

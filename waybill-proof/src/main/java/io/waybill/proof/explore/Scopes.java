package io.waybill.proof.explore;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The worlds that are explored, each for something that the others leave out. */
final class Scopes {
  /** What befalls messages and the processes that sent them. */
  private static final Set<Action> OF_MESSAGES =
      EnumSet.of(Action.REFUSE, Action.TIME_OUT, Action.LOSE_CONFIRM, Action.CRASH, Action.EXPIRE);

  /** Two events of one key, one message of it in flight; a parked event keeps its key. */
  static final Scope KEY =
      new Scope(
          "key",
          List.of(0, 0),
          1,
          false,
          false,
          2,
          true,
          false,
          2,
          Scope.ALL_FAULTS,
          Protocol.WAYBILL);

  /**
   * The same with an event that is given up at its first refusal, and more faults of fewer kinds.
   */
  static final Scope BURIED =
      new Scope(
          "buried",
          List.of(0, 0),
          1,
          false,
          true,
          1,
          true,
          false,
          3,
          OF_MESSAGES,
          Protocol.WAYBILL);

  /** The same where sessions have locks: a new owner may come while the former one still sends. */
  static final Scope LOCKS =
      new Scope(
          "locks",
          List.of(0, 0),
          1,
          false,
          true,
          1,
          true,
          false,
          3,
          EnumSet.of(Action.REFUSE, Action.TIME_OUT, Action.CRASH, Action.END_SESSION),
          Protocol.WAYBILL);

  /** Two events of one key: relays are stopped on purpose, and sends fail meanwhile. */
  static final Scope HAND_OVERS =
      new Scope(
          "hand-overs",
          List.of(0, 0),
          1,
          false,
          false,
          2,
          true,
          false,
          2,
          EnumSet.of(Action.HAND_OVER, Action.TIME_OUT, Action.LOSE_ANSWER, Action.CRASH),
          Protocol.WAYBILL);

  /** Three events of one key, two of them in flight. */
  static final Scope PIPELINE =
      new Scope(
          "pipeline",
          List.of(0, 0, 0),
          1,
          true,
          false,
          2,
          true,
          false,
          2,
          Scope.ALL_FAULTS,
          Protocol.WAYBILL);

  /** Two keys in two lanes, which the relays share: lanes change hands without a fault. */
  static final Scope LANES =
      new Scope(
          "lanes",
          List.of(0, 1),
          2,
          false,
          false,
          2,
          true,
          false,
          2,
          Scope.ALL_FAULTS,
          Protocol.WAYBILL);

  /** Transactions end while relays run, commits are asynchronous, and the database may crash. */
  static final Scope WRITERS =
      new Scope(
          "writers",
          List.of(0, 1, 0),
          1,
          false,
          false,
          2,
          false,
          false,
          1,
          Scope.ALL_FAULTS,
          Protocol.WAYBILL);

  /** One event; calls about sessions and lanes take their time as well. */
  static final Scope SLOW =
      new Scope(
          "slow",
          List.of(0),
          1,
          false,
          false,
          2,
          true,
          true,
          1,
          Scope.ALL_FAULTS,
          Protocol.WAYBILL);

  /** A relay that does not know that it was replaced, and a key that is parked meanwhile. */
  static final Scope ZOMBIE =
      new Scope(
          "zombie",
          List.of(0, 0),
          1,
          false,
          false,
          1,
          false,
          false,
          2,
          EnumSet.of(Action.FREEZE, Action.REFUSE),
          Protocol.WAYBILL);

  static final List<Scope> ALL =
      List.of(KEY, BURIED, LOCKS, HAND_OVERS, PIPELINE, LANES, WRITERS, ZOMBIE, SLOW);

  private Scopes() {}

  static Scope named(String name) {
    return ALL.stream()
        .filter(scope -> scope.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown scope "
                        + name
                        + ", there are "
                        + ALL.stream().map(Scope::name).toList()));
  }
}

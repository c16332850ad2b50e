package io.waybill.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The faults that can happen on this machine, each as often as it has its turn.
 *
 * @param role of the processes that they happen to
 * @param kinds cards that are dealt
 * @param refusals kinds of which each span of faults has one
 * @param beside kinds of which each span has each
 * @param leftOut what cannot happen here, with the reason
 */
record Deck(
    Role role,
    List<FaultKind> kinds,
    List<FaultKind> refusals,
    List<FaultKind> beside,
    List<String> leftOut) {
  private static final int KILLS = 5;

  /** Those of a stage; of some kinds alone, unless there are none. */
  static Deck of(Stage stage, Set<FaultKind> only) {
    TortureBroker broker = stage.broker();
    Set<FaultKind> beside = EnumSet.copyOf(broker.refusals());
    if (stage.table().byHand(Hand.REMOVE).isPresent()) {
      beside.add(FaultKind.ROWS_BY_SQL);
    }
    if (stage.table().aging().isPresent()) {
      beside.add(FaultKind.OLD_EVENTS);
    }
    Set<FaultKind> some = only.isEmpty() ? EnumSet.allOf(FaultKind.class) : EnumSet.copyOf(only);
    if (!stage.database().isPostgres()) {
      some.remove(FaultKind.DATABASE_FAIL_OVER);
    }
    Deck deck =
        of(broker.hasAlarm(), beside, stage.database().disk().missing(), stage.clocks().missing());
    return deck.only(some);
  }

  private Deck only(Set<FaultKind> some) {
    return new Deck(
        role,
        kinds.stream().filter(some::contains).toList(),
        refusals.stream().filter(some::contains).toList(),
        beside.stream().filter(some::contains).toList(),
        leftOut);
  }

  /**
   * Deals.
   *
   * @param alarms whether the broker has them
   * @param beside what can last beside the others
   * @param noDisk why the database has no disk of its own
   * @param noClocks why clocks cannot be shifted
   */
  static Deck of(
      boolean alarms, Set<FaultKind> beside, Optional<String> noDisk, Optional<String> noClocks) {
    List<FaultKind> kinds = kinds(Role.RELAY, alarms);
    kinds.removeIf(FaultKind::isBeside);
    kinds.addAll(Collections.nCopies(KILLS - 1, FaultKind.RELAY_KILL));
    kinds.add(FaultKind.RELAY_FREEZE);
    kinds.add(FaultKind.CONFIRM_LOST);
    List<String> leftOut = new ArrayList<>();
    noDisk.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.DATABASE_FULL, reason));
    noClocks.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.RELAY_CLOCK, reason));
    return new Deck(
        Role.RELAY,
        List.copyOf(kinds),
        beside.stream().filter(FaultKind::isRefusal).sorted().toList(),
        beside.stream().filter(kind -> !kind.isRefusal()).sorted().toList(),
        List.copyOf(leftOut));
  }

  /**
   * Those of consumers; of some kinds alone, unless there are none. That the database forgets what
   * was acknowledged happens only if it is among them.
   *
   * @param pair database and broker
   * @param noDisk why the database has no disk of its own
   * @param only the kinds, or none for all
   */
  static Deck ofConsumers(Pair pair, Optional<String> noDisk, Set<FaultKind> only) {
    List<FaultKind> kinds = kinds(Role.CONSUMER, !pair.kafka());
    kinds.removeIf(kind -> !kind.needs().map(pair.label()::contains).orElse(true));
    kinds.removeIf(
        kind -> only.isEmpty() ? kind == FaultKind.DATABASE_SET_BACK : !only.contains(kind));
    for (FaultKind often :
        List.of(
            FaultKind.CONSUMER_KILL,
            FaultKind.CONSUMER_KILL,
            FaultKind.CONSUMER_KILL,
            FaultKind.CONSUMER_STOP,
            FaultKind.CONSUMER_FREEZE,
            FaultKind.CONSUMER_DEPLOY,
            FaultKind.COMMIT_REPLY_LOST)) {
      if (kinds.contains(often)) {
        kinds.add(often);
      }
    }
    List<String> leftOut = new ArrayList<>();
    noDisk.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.DATABASE_FULL, reason));
    return new Deck(Role.CONSUMER, List.copyOf(kinds), List.of(), List.of(), List.copyOf(leftOut));
  }

  private static List<FaultKind> kinds(Role role, boolean alarms) {
    List<FaultKind> kinds = new ArrayList<>(List.of(FaultKind.values()));
    kinds.removeIf(kind -> !kind.concerns(role));
    if (!alarms) {
      kinds.removeAll(List.of(FaultKind.BROKER_ALARM, FaultKind.BROKER_FULL));
    }
    return kinds;
  }

  private static void leaveOut(
      List<FaultKind> kinds, List<String> leftOut, FaultKind kind, String reason) {
    kinds.remove(kind);
    leftOut.add("left out: %s: %s".formatted(kind.label(), reason));
  }
}

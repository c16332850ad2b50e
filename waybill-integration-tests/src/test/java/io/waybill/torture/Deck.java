package io.waybill.torture;

import io.waybill.jdbc.DatabaseKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The faults that can happen on this machine, each as often as it has its turn.
 *
 * @param kinds cards that are dealt
 * @param refusals kinds of which each span of faults has one
 * @param beside kinds of which each span has each
 * @param leftOut what cannot happen here, with the reason
 */
record Deck(
    List<FaultKind> kinds, List<FaultKind> refusals, List<FaultKind> beside, List<String> leftOut) {
  private static final int RELAY_KILLS = 5;

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
    if (stage.database().kind() != DatabaseKind.POSTGRESQL) {
      some.remove(FaultKind.DATABASE_FAIL_OVER);
    }
    Deck deck = of(broker.hasAlarm(), beside, stage.disk().missing(), stage.clocks().missing());
    return deck.only(some);
  }

  private Deck only(Set<FaultKind> some) {
    return new Deck(
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
    List<FaultKind> kinds = new ArrayList<>(List.of(FaultKind.values()));
    kinds.removeIf(FaultKind::isBeside);
    kinds.addAll(Collections.nCopies(RELAY_KILLS - 1, FaultKind.RELAY_KILL));
    kinds.add(FaultKind.RELAY_FREEZE);
    kinds.add(FaultKind.CONFIRM_LOST);
    if (!alarms) {
      kinds.removeAll(List.of(FaultKind.BROKER_ALARM, FaultKind.BROKER_FULL));
    }
    List<String> leftOut = new ArrayList<>();
    noDisk.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.DATABASE_FULL, reason));
    noClocks.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.RELAY_CLOCK, reason));
    return new Deck(
        List.copyOf(kinds),
        beside.stream().filter(FaultKind::isRefusal).sorted().toList(),
        beside.stream().filter(kind -> !kind.isRefusal()).sorted().toList(),
        List.copyOf(leftOut));
  }

  private static void leaveOut(
      List<FaultKind> kinds, List<String> leftOut, FaultKind kind, String reason) {
    kinds.remove(kind);
    leftOut.add("left out: %s: %s".formatted(kind.label(), reason));
  }
}

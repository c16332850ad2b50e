package io.waybill.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The faults that can happen on this machine, each as often as it has its turn.
 *
 * @param kinds cards that are dealt
 * @param leftOut what cannot happen here, with the reason
 */
record Deck(List<FaultKind> kinds, List<String> leftOut) {
  private static final int RELAY_KILLS = 5;

  static Deck of(Stage stage) {
    return of(stage.broker().hasAlarm(), stage.disk().missing(), stage.clocks().missing());
  }

  /**
   * Deals.
   *
   * @param alarms whether the broker has them
   * @param noDisk why the database has no disk of its own
   * @param noClocks why clocks cannot be shifted
   */
  static Deck of(boolean alarms, Optional<String> noDisk, Optional<String> noClocks) {
    List<FaultKind> kinds = new ArrayList<>(List.of(FaultKind.values()));
    kinds.addAll(Collections.nCopies(RELAY_KILLS - 1, FaultKind.RELAY_KILL));
    kinds.add(FaultKind.RELAY_FREEZE);
    kinds.add(FaultKind.CONFIRM_LOST);
    if (!alarms) {
      kinds.removeAll(List.of(FaultKind.BROKER_ALARM, FaultKind.BROKER_FULL));
    }
    List<String> leftOut = new ArrayList<>();
    noDisk.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.DATABASE_FULL, reason));
    noClocks.ifPresent(reason -> leaveOut(kinds, leftOut, FaultKind.RELAY_CLOCK, reason));
    return new Deck(List.copyOf(kinds), List.copyOf(leftOut));
  }

  private static void leaveOut(
      List<FaultKind> kinds, List<String> leftOut, FaultKind kind, String reason) {
    kinds.remove(kind);
    leftOut.add("left out: %s: %s".formatted(kind.label(), reason));
  }
}

package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final List<FaultKind> DECK =
      Deck.of(true, Optional.empty(), Optional.empty()).kinds();

  private static List<FaultPlan.Entry> entries(FaultPlan plan) {
    return plan.epochs().stream().flatMap(epoch -> epoch.entries().stream()).toList();
  }

  @Test
  void theSameSeedGivesTheSamePlanAndAnotherOneAnother() {
    FaultPlan plan = FaultPlan.of(7, TEN_MINUTES, DECK, false);

    assertThat(FaultPlan.of(7, TEN_MINUTES, DECK, false)).isEqualTo(plan);
    assertThat(FaultPlan.of(8, TEN_MINUTES, DECK, false)).isNotEqualTo(plan);
  }

  @Test
  void tenMinutesHaveAboutSixtyFaultsOfEveryKind() {
    int all = 0;
    for (long seed = 1; seed <= 50; seed++) {
      FaultPlan plan = FaultPlan.of(seed, TEN_MINUTES, DECK, false);
      assertThat(plan.epochs()).hasSize(3);
      assertThat(entries(plan).stream().map(FaultPlan.Entry::kind).collect(Collectors.toSet()))
          .containsExactlyInAnyOrder(FaultKind.values());
      all += entries(plan).size();
    }
    assertThat(all / 50).isBetween(55, 67);
  }

  @Test
  void fromTenMinutesOnFortyFaultsTenKillsAndAnOutageOfEachServerAreCertain() {
    List<List<FaultKind>> decks =
        List.of(
            DECK,
            Deck.of(false, Optional.empty(), Optional.empty()).kinds(),
            Deck.of(false, Optional.of("no"), Optional.of("no")).kinds());
    for (List<FaultKind> deck : decks) {
      for (int minutes = 10; minutes < 30; minutes++) {
        for (long seed = 1; seed <= 100; seed++) {
          Duration length = Duration.ofMinutes(minutes);
          Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
          entries(FaultPlan.of(seed, length, deck, false))
              .forEach(entry -> counts.merge(entry.kind(), 1, Integer::sum));

          assertThat(Guarantee.missing(length, counts)).as("%s %d", length, seed).isEmpty();
        }
      }
    }
  }

  @Test
  void whatIsMissingInALongRunIsSaid() {
    assertThat(Guarantee.missing(TEN_MINUTES, Map.of(FaultKind.RELAY_KILL, 39)))
        .containsExactly(
            "only 39 faults, at least 40 belong to such a run",
            "only 0 kills of the database, at least 1 belong to such a run",
            "only 0 kills of the broker, at least 1 belong to such a run");
    assertThat(Guarantee.missing(TEN_MINUTES, Map.of(FaultKind.DATABASE_KILL, 9)))
        .contains("only 9 kills, at least 10 belong to such a run");
    assertThat(Guarantee.missing(Duration.ofMinutes(9), Map.of())).isEmpty();
  }

  @Test
  void whatCannotHappenHereIsLeftOutWithItsReason() {
    Deck deck = Deck.of(false, Optional.of("not root"), Optional.of("no library"));

    assertThat(deck.kinds())
        .isNotEmpty()
        .doesNotContain(FaultKind.DATABASE_FULL, FaultKind.RELAY_CLOCK)
        .doesNotContain(FaultKind.BROKER_ALARM, FaultKind.BROKER_FULL);
    assertThat(deck.leftOut())
        .containsExactly("left out: database-full: not root", "left out: relay-clock: no library");
  }

  @Test
  void gapsAreEightSecondsOnAverage() {
    FaultPlan plan = FaultPlan.of(1, Duration.ofHours(10), DECK, false);
    double seconds =
        plan.epochs().stream().mapToLong(epoch -> epoch.length().toMillis()).sum() / 1e3;

    assertThat(seconds / entries(plan).size()).isBetween(7.0, 9.0);
  }

  @Test
  void freezesLastLongerThanALeaseOftenAndEveryFaultHasATarget() {
    List<FaultPlan.Entry> freezes =
        entries(FaultPlan.of(1, Duration.ofHours(10), DECK, false)).stream()
            .filter(entry -> entry.kind() == FaultKind.RELAY_FREEZE)
            .toList();

    assertThat(freezes)
        .anyMatch(entry -> entry.length().toSeconds() >= 17)
        .anyMatch(entry -> entry.length().toSeconds() < 15);
    assertThat(freezes.stream().map(FaultPlan.Entry::target).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("relay-1", "relay-2", "relay-3");
  }
}

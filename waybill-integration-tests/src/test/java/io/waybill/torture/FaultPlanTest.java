package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Set<FaultKind> BESIDE =
      Arrays.stream(FaultKind.values()).filter(FaultKind::isBeside).collect(Collectors.toSet());
  private static final Deck DECK = Deck.of(true, BESIDE, Optional.empty(), Optional.empty());

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
      assertThat(kinds(plan)).containsAll(DECK.kinds());
      assertThat(kinds(plan)).containsAll(DECK.beside());
      assertThat(kinds(plan)).containsAnyElementsOf(DECK.refusals());
      all += entries(plan).size();
    }
    assertThat(all / 50).isBetween(60, 77);
  }

  private static Set<FaultKind> kinds(FaultPlan plan) {
    return entries(plan).stream().map(FaultPlan.Entry::kind).collect(Collectors.toSet());
  }

  @Test
  void inEachSpanOneDestinationRefusesForMinutes() {
    FaultPlan plan = FaultPlan.of(1, Duration.ofMinutes(30), DECK, false);

    assertThat(plan.epochs())
        .allSatisfy(
            epoch ->
                assertThat(epoch.entries())
                    .filteredOn(entry -> entry.kind().isRefusal())
                    .singleElement()
                    .matches(entry -> entry.length().toSeconds() >= 60));
    assertThat(kinds(plan)).containsAll(DECK.refusals());
  }

  @Test
  void fromTenMinutesOnFortyFaultsTenKillsAndAnOutageOfEachServerAreCertain() {
    List<Deck> decks =
        List.of(
            DECK,
            Deck.of(false, Set.of(), Optional.empty(), Optional.empty()),
            Deck.of(false, Set.of(), Optional.of("no"), Optional.of("no")));
    for (Deck deck : decks) {
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
  void consumersHaveAsManyFaultsAndKillsAndTheDatabaseIsSetBackOnlyWhenAsked() {
    for (Pair pair : Pair.values()) {
      Deck deck = Deck.ofConsumers(pair, Optional.of("no"), Set.of());
      assertThat(deck.kinds()).doesNotContain(FaultKind.DATABASE_SET_BACK, FaultKind.RELAY_KILL);
      assertThat(deck.kinds().contains(FaultKind.TOPIC_REMADE)).isEqualTo(pair.kafka());
      for (long seed = 1; seed <= 100; seed++) {
        Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
        FaultPlan plan = FaultPlan.of(seed, TEN_MINUTES, deck, pair.kafka());
        entries(plan).forEach(entry -> counts.merge(entry.kind(), 1, Integer::sum));

        assertThat(kinds(plan)).as("%s %d", pair, seed).containsAll(deck.kinds());
        assertThat(Guarantee.missing(TEN_MINUTES, counts)).as("%s %d", pair, seed).isEmpty();
      }
    }
    assertThat(
            Deck.ofConsumers(
                    Pair.MARIADB_KAFKA, Optional.empty(), Set.of(FaultKind.DATABASE_SET_BACK))
                .kinds())
        .containsExactly(FaultKind.DATABASE_SET_BACK);
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
    Deck deck = Deck.of(false, Set.of(), Optional.of("not root"), Optional.of("no library"));

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

    long faults = entries(plan).stream().filter(entry -> !entry.kind().isBeside()).count();
    assertThat(seconds / faults).isBetween(7.0, 9.0);
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

package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final List<FaultKind> DECK = List.of(FaultKind.values());

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
      assertThat(entries(plan)).as("seed %d", seed).hasSizeGreaterThan(35);
      assertThat(entries(plan).stream().map(FaultPlan.Entry::kind).collect(Collectors.toSet()))
          .containsExactlyInAnyOrderElementsOf(DECK);
      all += entries(plan).size();
    }
    assertThat(all / 50).isBetween(55, 67);
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

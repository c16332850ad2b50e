package io.waybill.proof.sim.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InboxSimulationTest {
  private static final int SEEDS = 1_000;
  private static final int FAILOVER_SEEDS = 300;
  private static final int MORE_SEEDS = 20_000;
  private static final int REPLAYED_SEEDS = 40;

  @Test
  void keepsItsPromisesAndReachesEveryRareState() {
    InboxTallies tallies = new InboxTallies();

    assertThat(broken(1, SEEDS, tallies, InboxMutation::new)).isEmpty();
    assertThat(missed(tallies.states)).as("rare states that no run reached").isEmpty();
    assertThat(missed(tallies.faults)).as("faults that no run injected").isEmpty();
  }

  @Test
  void readsAgainWhatAFailoverOfTheDatabaseHasLost() {
    InboxTallies tallies = new InboxTallies();

    assertThat(broken(1, FAILOVER_SEEDS, tallies, Failovers::new)).isEmpty();
    assertThat(InboxStandby.WITH)
        .filteredOn(InboxRare.class::isInstance)
        .allMatch(state -> tallies.states.of((InboxRare) state) > 0);
    assertThat(InboxStandby.WITH)
        .filteredOn(InboxFault.class::isInstance)
        .allMatch(fault -> tallies.faults.of((InboxFault) fault) > 0);
  }

  @Test
  @Tag("long")
  void keepsItsPromisesOverManySeeds() {
    assertThat(broken(1 + SEEDS, MORE_SEEDS, new InboxTallies(), InboxMutation::new)).isEmpty();
  }

  @Test
  void replaysASeedBitForBit() {
    List<Result> first = runs().toList();

    assertThat(runs()).containsExactlyElementsOf(first);
    assertThat(first.stream().map(Result::hash)).doesNotHaveDuplicates();
  }

  private static Stream<Result> runs() {
    return LongStream.rangeClosed(1, REPLAYED_SEEDS).mapToObj(InboxSimulation::run);
  }

  private static List<String> broken(
      long first, int seeds, InboxTallies tallies, Supplier<InboxMutation> world) {
    List<String> broken = new ArrayList<>();
    for (long seed = first; seed < first + seeds; seed++) {
      Result run = InboxSimulation.run(seed, world.get(), false, tallies);
      if (run.violation() != null) {
        broken.add("seed " + seed + ": " + run.violation());
      }
    }
    return broken;
  }

  private static <E extends Enum<E>> List<E> missed(Tally<E> tally) {
    return Arrays.stream(tally.things())
        .filter(thing -> tally.of(thing) == 0)
        .filter(thing -> !InboxStandby.WITH.contains(thing))
        .toList();
  }
}

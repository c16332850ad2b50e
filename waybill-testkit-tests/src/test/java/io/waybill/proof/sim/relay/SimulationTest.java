package io.waybill.proof.sim.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.sim.seed.Result;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final int SEEDS = 1_500;
  private static final int MORE_SEEDS = 20_000;
  private static final int REPLAYED_SEEDS = 40;

  @Test
  void keepsItsPromisesAndReachesEveryRareState() throws InterruptedException {
    Suite suite = Suite.run(1, SEEDS);

    assertThat(suite.results).hasSize(SEEDS).allMatch(result -> result.events() >= 200);
    assertThat(suite.broken()).isEmpty();
    assertThat(suite.missedStates()).as("rare states that no run reached").isEmpty();
    assertThat(suite.missedFaults()).as("faults that no run injected").isEmpty();
  }

  @Test
  @Tag("long")
  void keepsItsPromisesOverManySeeds() throws InterruptedException {
    assertThat(Suite.run(1 + SEEDS, MORE_SEEDS).broken()).isEmpty();
  }

  /** In these the simulated database's clock stands below zero while rows without a delay wait. */
  @ParameterizedTest
  @ValueSource(longs = {44742, 47717, 49513})
  void aClockThatWasSetBackHidesNoRow(long seed) {
    assertThat(Simulation.run(seed, new Mutation(), false, new Tallies()).violation()).isNull();
  }

  @Test
  void replaysASeedBitForBit() {
    List<Result> first = runs().toList();

    assertThat(runs()).containsExactlyElementsOf(first);
    assertThat(first.stream().map(Result::hash)).doesNotHaveDuplicates();
  }

  private static Stream<Result> runs() {
    return LongStream.rangeClosed(1, REPLAYED_SEEDS).mapToObj(Simulation::run);
  }
}

package io.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final int MOST_SEEDS = 3_000;
  private static final int LEAST_SEEDS = 500;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void keepsItsPromisesAndReachesEveryRareState() {
    RareStates rare = new RareStates();
    long start = System.nanoTime();
    int events = Integer.MAX_VALUE;
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      Simulation.Result result = Simulation.run(seed, new Mutation(), false, rare);
      assertThat(result.violation()).as("seed %d", seed).isNull();
      events = Math.min(events, result.events());
      if (seed >= LEAST_SEEDS && System.nanoTime() - start > LIMIT.toNanos()) {
        break;
      }
    }
    assertThat(events).as("events of the smallest run").isGreaterThanOrEqualTo(200);
    List<RareState> missed =
        Arrays.stream(RareState.values()).filter(state -> rare.count(state) == 0).toList();
    assertThat(missed).as("rare states that no run reached").isEmpty();
  }

  @Test
  void replaysASeedBitForBit() {
    List<Long> first = hashes();
    assertThat(hashes()).isEqualTo(first);
    assertThat(first.stream().filter(Objects::nonNull).distinct().count()).isEqualTo(20);
  }

  private static List<Long> hashes() {
    return LongStream.rangeClosed(1, 20).mapToObj(seed -> Simulation.run(seed).hash()).toList();
  }
}

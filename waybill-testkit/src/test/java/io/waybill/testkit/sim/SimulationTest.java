package io.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final long SEEDS = 1_500;
  private static final long REPLAYED_SEEDS = 40;

  @Test
  void keepsItsPromisesAndReachesEveryRareState() throws InterruptedException {
    List<Simulation.Result> results = Collections.synchronizedList(new ArrayList<>());
    Tallies tallies = new Tallies();
    List<Thread> threads = new ArrayList<>();
    for (long remainder = 0; remainder < 2; remainder++) {
      long first = 1 + remainder;
      threads.add(new Thread(() -> runEverySecond(first, results, tallies)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(results).hasSize((int) SEEDS);
    assertThat(results).filteredOn(result -> result.violation() != null).isEmpty();
    assertThat(results).allMatch(result -> result.events() >= 200);
    assertThat(missed(tallies.states)).as("rare states that no run reached").isEmpty();
    assertThat(missed(tallies.faults)).as("faults that no run injected").isEmpty();
  }

  private static void runEverySecond(long first, List<Simulation.Result> results, Tallies tallies) {
    Tallies mine = new Tallies();
    for (long seed = first; seed <= SEEDS; seed += 2) {
      results.add(Simulation.run(seed, new Mutation(), false, mine));
    }
    synchronized (tallies) {
      tallies.add(mine);
    }
  }

  private static <E extends Enum<E>> List<E> missed(Tally<E> tally) {
    return Arrays.stream(tally.things()).filter(thing -> tally.of(thing) == 0).toList();
  }

  @Test
  void replaysASeedBitForBit() {
    List<Simulation.Result> first = runs().toList();

    assertThat(runs()).containsExactlyElementsOf(first);
    assertThat(first.stream().map(Simulation.Result::hash)).doesNotHaveDuplicates();
  }

  private static Stream<Simulation.Result> runs() {
    return LongStream.rangeClosed(1, REPLAYED_SEEDS).mapToObj(Simulation::run);
  }
}

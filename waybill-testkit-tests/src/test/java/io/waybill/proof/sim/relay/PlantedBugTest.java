package io.waybill.proof.sim.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.sim.seed.Result;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation is tested, not Waybill. */
@Tag("long")
class PlantedBugTest {
  /** What one core runs in less than a minute; a limit in time would depend on the machine. */
  private static final int SEEDS = 3_000;

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void isCaughtWithinAMinute(PlantedBug bug, TestReporter reporter) {
    Result caught = null;
    for (long seed = 1; caught == null && seed <= SEEDS; seed++) {
      Result result = Simulation.run(seed, bug.plant(), false, new Tallies());
      caught = result.violation() == null ? null : result;
    }
    assertThat(caught).as("a run that catches %s", bug).isNotNull();
    Result run = Objects.requireNonNull(caught);
    String caughtBy = "seed " + run.seed() + ": " + run.violation();
    reporter.publishEntry(bug.name(), caughtBy);
    System.out.println(bug + " is caught by " + caughtBy);
  }
}

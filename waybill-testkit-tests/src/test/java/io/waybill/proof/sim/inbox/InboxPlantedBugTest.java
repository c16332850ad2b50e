package io.waybill.proof.sim.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.sim.seed.Result;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation is tested, not Waybill; it takes longer than any other class of its module. */
@Tag("long")
class InboxPlantedBugTest {
  /** What one core runs in some seconds; a limit in time would depend on the machine. */
  private static final int SEEDS = 2_000;

  @Test
  void aLetterThatIsTooEarlyMakesAnEventDeadAndApplied() {
    assertThat(
            LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> run(seed, InboxPlantedBug.LETTER_BEFORE_IT_IS_ON_RECORD))
                .map(Result::violation)
                .filter(Objects::nonNull))
        .anyMatch(violation -> violation.startsWith("dead or applied"));
  }

  @Test
  void anInnocentIsBuriedIfStartsBesideOthersCount() {
    assertThat(
            LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> run(seed, InboxPlantedBug.BLAMED_FOR_A_START_BESIDE_OTHERS))
                .map(Result::violation)
                .filter(Objects::nonNull))
        .anyMatch(violation -> violation.endsWith("but killed nothing alone"));
  }

  @Test
  void oneSuspectAtATimeIsTooSlowAfterARestart() {
    assertThat(
            LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> run(seed, InboxPlantedBug.SUSPECTS_ONE_AT_A_TIME))
                .map(Result::violation)
                .filter(Objects::nonNull))
        .anyMatch(violation -> violation.startsWith("workers are busy after a restart"));
  }

  private static Result run(long seed, InboxPlantedBug bug) {
    return InboxSimulation.run(seed, bug.plant(), false, new InboxTallies());
  }

  @ParameterizedTest
  @EnumSource(InboxPlantedBug.class)
  void isCaught(InboxPlantedBug bug, TestReporter reporter) {
    Result caught = null;
    for (long seed = 1; caught == null && seed <= SEEDS; seed++) {
      Result result = run(seed, bug);
      caught = result.violation() == null ? null : result;
    }
    assertThat(caught).as("a run that catches %s", bug).isNotNull();
    Result run = Objects.requireNonNull(caught);
    String caughtBy = "seed " + run.seed() + ": " + run.violation();
    reporter.publishEntry(bug.name(), caughtBy);
    System.out.println(bug + " is caught by " + caughtBy);
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.sim.RefusalDays;
import io.waybill.proof.sim.Simulate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code ./simulate} runs. */
class SimulateCommandTest {
  private record Ended(int code, List<String> lines) {}

  private static Ended simulate(String... options) throws IOException, InterruptedException {
    return run(Simulate.class, options);
  }

  private static Ended run(Class<?> main, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    byte[] output = process.getInputStream().readAllBytes();
    return new Ended(
        process.waitFor(), new String(output, StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void runsAsManySeedsAsAskedForAndCountsTheRareStates() throws Exception {
    Ended run = simulate("--seeds", "30", "--seed", "1000");

    assertThat(run.code()).isZero();
    assertThat(run.lines()).first().asString().startsWith("30 seeds in ").endsWith(" 0 violations");
    assertThat(run.lines())
        .first()
        .asString()
        .containsPattern("[0-9]+ seeds/s, [0-9]+ per core, [0-9]+ times real time");
    assertThat(run.lines()).last().isEqualTo("0 violations");
    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +fenced_mark +[0-9,]+"))
        .anyMatch(line -> line.matches(" +take_over_of_living_owner +[0-9,]+"))
        .anyMatch(line -> line.matches(" +unknown_then_rejected +[0-9,]+"))
        .anyMatch(line -> line.matches(" +returned_then_acked +[0-9,]+"))
        .anyMatch(line -> line.matches(" +unreported_commit +[0-9,]+"));
  }

  @Test
  @Tag("long")
  void beginsWithTheSeedThatIsAskedFor() throws Exception {
    List<String> one = simulate("--seed", "4711", "--trace").lines();

    assertThat(one).last().asString().startsWith("seed 4711: ");
    assertThat(simulate("--seed", "4711", "--trace").lines()).isEqualTo(one);
    assertThat(simulate("--seed", "4712", "--trace").lines()).isNotEqualTo(one);
  }

  @Test
  @Tag("long")
  void runsSomeHoursOfEachKindOfRefusal() throws Exception {
    Ended run = run(RefusalDays.class, "--hours", "1", "--seed", "7");

    assertThat(run.code()).isZero();
    assertThat(run.lines()).hasSize(9).last().isEqualTo("8 kinds, 0 violations");
    assertThat(run.lines())
        .filteredOn(line -> line.contains("refused for 1.0 h"))
        .hasSize(8)
        .allMatch(line -> line.matches(".* [1-9][0-9,]* refusals; .*"))
        .allMatch(line -> line.endsWith("parked 0, dead 0"));
  }

  @Test
  void refusesWhatItDoesNotKnow() throws Exception {
    assertThat(simulate("--nonsense").code()).isEqualTo(2);
    assertThat(run(RefusalDays.class, "--nonsense").code()).isEqualTo(2);
  }
}

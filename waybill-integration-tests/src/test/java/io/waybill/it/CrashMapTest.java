package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.crash.CrashStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of crash points in the documentation names the steps that there are, each once. */
class CrashMapTest {
  private static final Path PAGE = Path.of("../docs/evidence/reliability.md");
  private static final Pattern NAMED = Pattern.compile("^\\| `([A-Z_]+)` \\|");
  private static final Pattern MOMENT = Pattern.compile("^(BEFORE|AFTER)_");

  @Test
  void everyStepHasItsLine() throws IOException {
    List<String> named =
        Files.readAllLines(PAGE).stream()
            .map(NAMED::matcher)
            .filter(line -> line.find())
            .map(line -> line.group(1))
            .toList();
    Set<String> steps =
        Arrays.stream(CrashStep.values())
            .map(step -> MOMENT.matcher(step.name()).replaceFirst(""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(named).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(steps);
  }
}

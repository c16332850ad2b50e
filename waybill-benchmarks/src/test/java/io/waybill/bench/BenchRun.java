package io.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line as people use it, in this process. */
final class BenchRun {
  private BenchRun() {}

  /** The object that a command prints with {@code --json}. */
  static JsonNode report(String command) {
    PrintStream standard = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    int exitCode;
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      exitCode = Bench.execute((command + " --json").split(" ", -1));
    } finally {
      System.setOut(standard);
    }
    List<String> lines = captured.toString(StandardCharsets.UTF_8).lines().toList();
    JsonNode report = JsonMapper.shared().readTree(lines.get(lines.size() - 1));
    List<String> failures = report.path("failures").valueStream().map(JsonNode::asString).toList();
    assertThat(exitCode).isEqualTo(failures.isEmpty() ? 0 : 1);
    // A few cold seconds say nothing about latencies and rates.
    assertThat(failures)
        .allMatch(
            failure ->
                failure.contains("p99 of the others")
                    || failure.contains("recoveryShareOfPeak is ")
                    || failure.contains("a new event took ")
                    || failure.startsWith("takeover-")
                    || failure.startsWith("listings")
                    || failure.contains("times as long with a restart"));
    return report;
  }
}

package io.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("server")
@Tag("long")
class CompareScenarioTest {
  @TempDir Path folder;

  /** A rival on this test's class path stands for those that a build downloads. */
  @Test
  void runsTheYardsticksWaybillAndTheRivalsAndWritesTheReport() throws IOException {
    Path report = folder.resolve("some/report.html");
    JsonNode json =
        compare(
            "--events 2000 --cap 60 --seconds 1 --report " + report,
            "--only client,database,loop,waybill-keep,waybill-relay,tutorial,tutorial-default");

    assertThat(names(json))
        .containsExactly(
            "client",
            "database",
            "loop",
            "waybill-keep",
            "tutorial",
            "tutorial-default",
            "waybill-relay");
    for (JsonNode line : json.path("candidates")) {
      assertThat(line.path("lost").asLong(0)).isZero();
      assertThat(line.path("orderInversions").asLong(0)).isZero();
    }
    JsonNode rival = json.path("candidates").path(4);
    assertThat(rival.path("eventsPerSecond").asLong()).isPositive();
    assertThat(rival.path("ratioToLoop").asDouble()).isPositive();
    assertThat(rival.path("p99Ms").asDouble()).isPositive();
    assertThat(rival.path("peakRssMb").asLong()).isPositive();
    assertThat(json.path("settings").path("tutorial").path("pace").asString()).isEqualTo("fast");
    assertThat(json.path("failures").size()).isZero();
    assertThat(json.path("leftOut").valueStream().map(one -> one.path("name").asString()))
        .contains("debezium", "modulith");
    assertThat(Files.readString(report)).contains("tutorial-default");
  }

  @Test
  void aDrainThatIsStoppedHasLostNothing() throws IOException {
    JsonNode json =
        compare(
            "--events 100000 --cap 10 --seconds 1 --report " + folder.resolve("report.html"),
            "--only tutorial-default");

    JsonNode line = json.path("candidates").path(0);
    assertThat(line.path("details").path("stoppedAtCap").asDouble()).isEqualTo(1);
    assertThat(line.path("details").path("measuredEvents").asLong()).isBetween(1L, 99_999L);
    assertThat(line.path("lost").asLong(-1)).isZero();
    assertThat(line.path("duplicates").asLong(-1)).isZero();
  }

  private JsonNode compare(String... options) throws IOException {
    Path target = Files.createDirectories(folder.resolve("rivals/tutorial/target"));
    Files.writeString(target.resolve("rival.classpath"), System.getProperty("java.class.path"));
    List<String> all = new ArrayList<>(List.of("compare", "--quick", "--json"));
    all.addAll(List.of("--rivals", folder.resolve("rivals").toString()));
    for (String some : options) {
      all.addAll(List.of(some.split(" ", -1)));
    }
    String output = run(all);
    List<String> lines = output.lines().toList();
    return JsonMapper.shared().readTree(lines.get(lines.size() - 1));
  }

  private static String run(List<String> arguments) {
    PrintStream standard = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      assertThat(Bench.execute(arguments.toArray(new String[0]))).isZero();
    } finally {
      System.setOut(standard);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }

  private static List<String> names(JsonNode json) {
    return json.path("candidates").valueStream().map(line -> line.path("name").asString()).toList();
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Marks of the house that {@code ./dev house} prints. What is beyond a mark is recorded. */
class HouseTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RECORDED = Path.of("src/test/resources/house");
  private static final int MOST_LINES = 350;
  private static final int MOST_TYPES = 40;
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  // Each is constructed in one place of production, and by simulation, benchmarks and unit tests.
  private static final Map<String, String> PLACES =
      Map.of(
          "RelayEngine", "Relay.java",
          "InboxEngine", "InboxRunner.java",
          "Relay", "RelaySupervisor.java",
          "RoutedMapper", "RelayRoutes.java",
          "Supervisor", "RelaySupervisor.java RunningInbox.java");
  private static final List<String> WITHOUT_A_DOOR = List.of("waybill-proof", "waybill-benchmarks");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> all = new ArrayList<>();
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        Path sources = module.resolve("src/main/java");
        if (Files.exists(sources)) {
          all.addAll(OwnFiles.matching(sources, ".*\\.java"));
        }
      }
      assertThat(all).hasSizeGreaterThan(1000);
      return all;
    }
  }

  private static List<String> recorded(String name) throws IOException {
    return Files.readAllLines(RECORDED.resolve(name));
  }

  @Test
  void filesAreShort() throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (Path file : sources()) {
      try (Stream<String> lines = Files.lines(file)) {
        long length = lines.count();
        if (length > MOST_LINES) {
          found.put(file.getFileName().toString(), length);
        }
      }
    }
    assertThat(numbered(found)).isEqualTo(recorded("long-files.txt"));
  }

  @Test
  void packagesAreSmall() throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (Path file : sources()) {
      Matcher name = PACKAGE.matcher(Files.readString(file));
      if (name.find() && !file.endsWith("package-info.java")) {
        found.merge(name.group(1), 1L, Long::sum);
      }
    }
    found.values().removeIf(types -> types <= MOST_TYPES);
    assertThat(numbered(found)).isEqualTo(recorded("large-packages.txt"));
  }

  @Test
  void aRelayIsPutTogetherInOnePlace() throws IOException {
    for (Path file : sources()) {
      if (WITHOUT_A_DOOR.stream().noneMatch(file.toString()::contains)) {
        String text = Files.readString(file);
        PLACES.forEach(
            (type, place) -> {
              if (text.contains("new " + type + "(")) {
                assertThat(place).as(file.toString()).contains(file.getFileName().toString());
              }
            });
      }
    }
  }

  private static List<String> numbered(Map<String, Long> found) {
    return found.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Marks of the house that {@code ./dev house} prints. What is beyond a mark is recorded. */
class HouseTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RECORDED = Path.of("src/test/resources/house");
  private static final int MOST_LINES = 350;
  private static final int MOST_TYPES = 40;
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  // Shells, engines and what they are made of. Each is constructed in one place of production; the
  // simulation, the exploration and JMH construct engines and mappers, and so do the unit tests of
  // each class.
  private static final Map<String, Set<String>> PLACES =
      Map.of(
          "Relay", Set.of("RelaySupervisor", "RelayThreadsTest"),
          "RelayEngine", Set.of("Relay", "DryRun", "SimRelay", "Live", "EngineDriver", "EngineRun"),
          "InboxRunner", Set.of("Inbox"),
          "InboxEngine", Set.of("InboxRunner", "InboxProcess", "InboxDriver"),
          "RoutedMapper", Set.of("RelayRoutes", "Mappers", "RoutedMapperTest"),
          "Supervisor", Set.of("RelaySupervisor", "RunningInbox", "SupervisorTest"));

  private static List<Path> sources(String... kinds) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path parent : List.of(ROOT, ROOT.resolve("examples"))) {
      try (Stream<Path> modules = Files.list(parent)) {
        for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
          for (String kind : kinds) {
            Path sources = module.resolve("src").resolve(kind).resolve("java");
            if (Files.exists(sources)) {
              all.addAll(OwnFiles.matching(sources, ".*\\.java"));
            }
          }
        }
      }
    }
    assertThat(all).hasSizeGreaterThan(500 * kinds.length);
    return all;
  }

  private static List<String> recorded(String name) throws IOException {
    return Files.readAllLines(RECORDED.resolve(name));
  }

  @ParameterizedTest
  @CsvSource({"main, long-files.txt", "test, long-tests.txt"})
  void filesAreShort(String kind, String list) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (Path file : sources(kind)) {
      try (Stream<String> lines = Files.lines(file)) {
        long length = lines.count();
        if (length > MOST_LINES) {
          found.put(file.getFileName().toString(), length);
        }
      }
    }
    assertThat(numbered(found)).isEqualTo(recorded(list));
  }

  @Test
  void packagesAreSmall() throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (Path file : sources("main")) {
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
    for (Path file : sources("main", "test")) {
      String text = Files.readString(file);
      String place = file.getFileName().toString().replace(".java", "");
      PLACES.forEach(
          (type, places) -> {
            if (text.contains("new " + type + "(") && !declares(text, type)) {
              assertThat(places).as(file + " constructs " + type).contains(place);
            }
          });
    }
  }

  /** The exploration and a rival have types of these names, too. */
  private static boolean declares(String text, String type) {
    return Pattern.compile("\\b(class|record) " + type + "\\b").matcher(text).find();
  }

  private static List<String> numbered(Map<String, Long> found) {
    return found.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every line of docs/evidence/features.md names tests that there are and that run. */
class FeatureMapTest {
  private static final Path ROOT = Path.of("..");
  private static final Path MAP = ROOT.resolve("docs/evidence/features.md");
  private static final List<String> SECTIONS =
      List.of(
          "Build",
          "Write API",
          "Own table",
          "Layouts",
          "Engine",
          "Publishers",
          "Subscribers",
          "Routes and formats",
          "Standalone relay",
          "Spring Boot",
          "Command line",
          "Traces",
          "Inbox",
          "Inbox tables",
          "Dead letters",
          "Demo",
          "Examples",
          "Simulation",
          "Torture",
          "Faults",
          "Bench",
          "Bad input",
          "Notification producer",
          "Reference table event_outbox");
  private static final Pattern NAME =
      Pattern.compile("`([A-Z][A-Za-z0-9]+)\\.([a-z][A-Za-z0-9]+)`");
  private static final Pattern MARK = Pattern.compile("@(Test|ParameterizedTest|TestFactory)\\b.*");
  private static final Pattern METHOD =
      Pattern.compile("(?:(?:public|protected|private) )?(?:void|Stream<DynamicTest>) (\\w+)\\(.*");
  private static final Pattern SUPER = Pattern.compile("class \\w+ extends (\\w+)");

  // Test methods by class, those of the abstract suites included.
  private static final Map<String, Set<String>> TESTS = new HashMap<>();
  private static final Set<String> EXTENDED = new HashSet<>();

  @BeforeAll
  static void readTheTests() throws IOException {
    OwnFiles.matching(ROOT, ".*/src/.*(Test|Contract)\\.java").forEach(FeatureMapTest::read);
  }

  private static void read(Path file) {
    try {
      String source = Files.readString(file);
      String name = file.getFileName().toString().replace(".java", "");
      TESTS.computeIfAbsent(name, key -> new HashSet<>()).addAll(methods(source));
      SUPER.matcher(source).results().map(match -> match.group(1)).forEach(EXTENDED::add);
      assertThat(source.lines().map(String::strip))
          .as(name)
          .noneMatch(line -> line.startsWith("@Disabled"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Methods that follow a mark: a method without one is no test. */
  private static Set<String> methods(String source) {
    Set<String> methods = new HashSet<>();
    boolean marked = false;
    for (String line : source.lines().map(String::strip).toList()) {
      Matcher method = METHOD.matcher(line);
      if (MARK.matcher(line).matches()) {
        marked = true;
      } else if (method.matches()) {
        if (marked) {
          methods.add(method.group(1));
        }
        marked = false;
      }
    }
    return methods;
  }

  @Test
  void everyPartOfTheProjectHasItsSection() throws IOException {
    List<String> sections =
        Files.readAllLines(MAP).stream()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    assertThat(sections).containsExactlyElementsOf(SECTIONS);
  }

  @Test
  void everyLineNamesATest() throws IOException {
    assertThat(rows())
        .hasSizeGreaterThan(150)
        .allSatisfy(row -> assertThat(NAME.matcher(testsOf(row)).find()).as(row).isTrue());
  }

  @Test
  void everyNamedTestIsThereAndRuns() throws IOException {
    for (String row : rows()) {
      for (MatchResult named : NAME.matcher(testsOf(row)).results().toList()) {
        String type = named.group(1);
        assertThat(TESTS).as(row).containsKey(type);
        assertThat(TESTS.get(type)).as(row).contains(named.group(2));
        assertThat(type.endsWith("Test") || EXTENDED.contains(type)).as("%s is run", type).isTrue();
      }
    }
  }

  private static List<String> rows() throws IOException {
    return Files.readAllLines(MAP).stream()
        .filter(line -> line.startsWith("| "))
        .filter(line -> !line.startsWith("| what |") && !line.startsWith("| input |"))
        .toList();
  }

  /** The last cell. */
  private static String testsOf(String row) {
    Matcher cell = Pattern.compile("\\|([^|]*)\\|$").matcher(row);
    assertThat(cell.find()).as(row).isTrue();
    return cell.group(1);
  }
}

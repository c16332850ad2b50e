package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.it.ScriptRun.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts at the root of the repository that users run. */
class ScriptsTest {
  private static final String JAR = "waybill-server/target/relay/waybill-server-relay.jar";
  private static final String BUILD =
      """
      sleep 1
      echo "$@" >>"$root/builds"
      mkdir -p "$root/waybill-server/target/relay" && cp "$root/echo.jar" "$root/%s\""""
          .formatted(JAR);

  // Neither what all are built with nor another example, which the script finds by itself.
  private static final Pattern MODULE =
      Pattern.compile("<artifactId>(waybill(?:-(?!parent|build|example-)[a-z-]+)?)</artifactId>");

  private static final Pattern TEST_SCOPE =
      Pattern.compile("<dependency>(?:(?!</dependency>).)*<scope>test</scope>", Pattern.DOTALL);

  @TempDir private Path folder;
  private ScriptRun tree = new ScriptRun(Path.of("unset"));

  @BeforeEach
  void prepare() throws IOException {
    tree = new ScriptRun(folder).copy("waybill", "verify", ".ci/run");
    sources("waybill-server");
    tree.echo();
  }

  @Test
  void waybillBuildsWhatIsMissingOrOlderThanItsSources() throws Exception {
    tree.maven(BUILD);
    Ended first = tree.run("waybill", "status", "--json");
    assertThat(first.code()).isZero();
    assertThat(first.output())
        .contains(
            "building the relay", "built in", "preparing a quick start", "told: status --json");
    Ended second = tree.run("waybill", "status");
    assertThat(second.output()).isEqualTo("told: status\n");

    Path source = folder.resolve("waybill-core/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(tree.run("waybill", "status").output()).contains("building the relay");
    assertThat(tree.lines("builds"))
        .hasSize(2)
        .allMatch(line -> line.contains("-pl waybill-server -am package"));
  }

  @ParameterizedTest
  @CsvSource({"relay, 2, true", "relay, 3, false", "status, 3, true"})
  void aRelayWithFewProcessorsAndEachCommandDoWithOneCompiler(
      String command, int processors, boolean one) throws Exception {
    tree.maven(BUILD).program("nproc", "echo " + processors);

    assertThat(tree.run("waybill", command, "--options").output())
        .contains("options: ")
        .matches(output -> output.contains("-XX:TieredStopAtLevel=1 ") == one);
  }

  @Test
  @Tag("long")
  void theRelayIsBuiltAgainAfterAChangeOfAnyModuleThatItStandsOn() throws Exception {
    Set<Path> sources = sources("waybill-server");
    tree.maven(BUILD);
    tree.run("waybill", "status");
    assertThat(tree.run("waybill", "status").output()).isEqualTo("told: status\n");

    buildsAgain(sources, "status");
  }

  @Test
  void theDemoIsBuiltAgainAfterAChangeOfAnyModuleThatItStandsOn() throws Exception {
    Set<Path> sources = sources("examples/demo");
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.write("examples/demo/target/classpath", folder.resolve("echo.jar").toString());
    assertThat(tree.run("waybill", "demo").output()).doesNotContain("building the demo");

    buildsAgain(sources, "demo");
  }

  private void buildsAgain(Set<Path> sources, String... arguments) throws Exception {
    assertThat(sources).hasSizeGreaterThan(5);
    for (Path source : sources) {
      FileTime before = Files.getLastModifiedTime(source);
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
      assertThat(tree.run("waybill", arguments).output())
          .as("after a change of " + source)
          .contains("building the ");
      Files.setLastModifiedTime(source, before);
    }
  }

  /** A source of a module and of each other that its pom leads to outside its tests. */
  private Set<Path> sources(String module) throws IOException {
    Set<Path> sources = new TreeSet<>();
    sources.add(tree.write(module + "/src/main/java/A.java", "class A {}"));
    String pom = Files.readString(Path.of("..", module, "pom.xml"));
    for (MatchResult used :
        MODULE.matcher(TEST_SCOPE.matcher(pom).replaceAll("")).results().toList()) {
      String other = used.group(1).equals("waybill") ? "waybill-java" : used.group(1);
      if (!other.equals(module) && Files.isDirectory(Path.of("..", other))) {
        sources.addAll(sources(other));
      }
    }
    return sources;
  }

  @Test
  void twoWaybillsAtOnceBuildOnce() throws Exception {
    tree.maven(BUILD);
    Process one = tree.start("waybill", "status");
    Process other = tree.start("waybill", "status");

    assertThat(ScriptRun.end(one).output()).endsWith("told: status\n");
    assertThat(ScriptRun.end(other).output()).endsWith("told: status\n");
    assertThat(tree.lines("builds")).hasSize(1);
  }

  @Test
  void aBuildThatFailsIsShown() throws Exception {
    tree.maven("echo 'what the compiler said'; exit 1");
    Ended run = tree.run("waybill", "status");

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.output()).contains("what the compiler said", "the build failed");
  }

  @Test
  void theDemoIsBuiltFromItsOwnModule() throws Exception {
    tree.maven(
        """
        echo "$@" >>"$root/builds"
        mkdir -p "$root/examples/demo/target" && echo "$root/echo.jar" >"$root/examples/demo/target/classpath\"""");
    tree.write("examples/demo/src/main/java/A.java", "class A {}");
    tree.write("waybill-proof/src/main/java/A.java", "class A {}");
    Ended run = tree.run("waybill", "demo", "--events", "1");

    // The program is none of the demo's: the script gets as far as starting it.
    assertThat(run.output()).contains("building the demo", "io.waybill.server.WaybillCommand");
    assertThat(tree.lines("builds"))
        .singleElement()
        .asString()
        .contains("-pl examples/demo -am package");
  }

  @Test
  void anExampleIsBuiltFromItsOwnModuleAndTakesOptions() throws Exception {
    tree.maven(
        """
        echo "$@" >>"$root/builds"
        mkdir -p "$root/examples/first/target" && echo "$root/echo.jar" >"$root/examples/first/target/classpath\"""");
    tree.write(
        "examples/first/pom.xml",
        "<project>\n<example.main>"
            + ScriptRun.Echo.class.getName()
            + "</example.main>\n</project>\n");
    tree.write("examples/demo/pom.xml", "<project/>");
    modulesOfTheExamples();

    Ended run = tree.run("waybill", "example", "first", "--json", "two words");
    assertThat(run.output()).contains("building the example first", "told: --json two words\n");
    assertThat(run.code()).isZero();
    assertThat(tree.lines("builds"))
        .singleElement()
        .asString()
        .contains("-pl examples/first -am package");
    assertThat(tree.run("waybill", "example", "first").output()).isEqualTo("told: \n");
  }

  /** The modules of the repository that the poms of its examples name, each with a source. */
  private Set<Path> modulesOfTheExamples() throws IOException {
    Set<Path> sources = new TreeSet<>();
    // What waybill-proof stands on.
    sources.add(tree.write("waybill-testkit/src/main/java/A.java", "class A {}"));
    try (Stream<Path> examples = Files.list(Path.of("..", "examples"))) {
      for (Path pom : examples.map(folder -> folder.resolve("pom.xml")).toList()) {
        for (MatchResult module : MODULE.matcher(Files.readString(pom)).results().toList()) {
          if (Files.isDirectory(Path.of("..", module.group(1)))) {
            sources.add(tree.write(module.group(1) + "/src/main/java/A.java", "class A {}"));
          }
        }
      }
    }
    return sources;
  }

  @Test
  void anExampleIsBuiltAgainAfterAChangeOfAnyModuleThatExamplesStandOn() throws Exception {
    Set<Path> sources = modulesOfTheExamples();
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.write(
        "examples/first/pom.xml",
        "<project>\n<example.main>"
            + ScriptRun.Echo.class.getName()
            + "</example.main>\n</project>\n");
    tree.write("examples/first/target/classpath", folder.resolve("echo.jar").toString());
    assertThat(tree.run("waybill", "example", "first").output()).isEqualTo("told: \n");

    buildsAgain(sources, "example", "first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "second", "../first", "FIRST"})
  void unknownExamplesAreRefusedWithTheListOfThem(String name) throws Exception {
    tree.write("examples/first/pom.xml", "<project><example.main>A</example.main></project>");
    tree.write("examples/demo/pom.xml", "<project/>");
    Ended run = tree.run("waybill", "example", name);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains("there is no example '" + name + "'").endsWith("first\n");
  }

  @Test
  void theExamplesAreListedWithWhatTheyAre() throws Exception {
    tree.write(
        "examples/first/pom.xml",
        "<project>\n<description>shows it</description>\n<example.main>A</example.main></project>");
    tree.write("examples/demo/pom.xml", "<project/>");
    Ended run = tree.run("waybill", "example");

    assertThat(run.code()).isZero();
    assertThat(run.output()).contains("  first          shows it\n").doesNotContain("there is no");
  }

  @Test
  void continuousIntegrationRunsTheTestCommandOfTheReadme() throws Exception {
    assertThat(Files.readString(Path.of("..", "README.md"))).contains("```sh\n./verify\n```");
    Ended run = tree.run(".ci/run", "--help");

    assertThat(run.code()).isZero();
    assertThat(run.output()).isEqualTo(tree.run("verify", "--help").output());
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.it.ScriptRun.Ended;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The developers' scripts at the root of the repository. */
class DevScriptsTest {
  @TempDir private Path folder;
  private ScriptRun tree = new ScriptRun(Path.of("unset"));

  @BeforeEach
  void prepare() throws IOException {
    tree = new ScriptRun(folder).copy("simulate", "torture", "bench", "dev");
    tree.echo();
  }

  @Test
  void simulateTortureAndBenchCompileWhatIsMissingAndPassTheirOptionsOn() throws Exception {
    tree.maven(
        """
        echo "$@" >>"$root/builds"
        case "$*" in
          *waybill-proof*) file=waybill-proof/target/simulate.classpath.new ;;
          *browser*) file=waybill-integration-tests/target/console.classpath.new ;;
          *waybill-integration-tests*) file=waybill-integration-tests/target/torture.classpath.new ;;
          *) file=waybill-benchmarks/target/bench.classpath.new ;;
        esac
        mkdir -p "$(dirname "$root/$file")" && echo "$root/echo.jar" >"$root/$file\"""");
    tree.write("waybill-proof/src/main/java/A.java", "class A {}");
    tree.write("waybill-proof/pom.xml", "<project/>");
    tree.write("waybill-benchmarks/src/main/java/A.java", "class A {}");

    assertThat(tree.run("simulate", "--seeds", "1").output())
        .contains("building waybill-proof", "io.waybill.proof.sim.Simulate");
    assertThat(tree.run("torture", "--minutes", "1").output())
        .contains("building waybill-integration-tests", "io.waybill.torture.Torture");
    assertThat(tree.run("dev", "console", "--only", "pages").output())
        .contains("building waybill-integration-tests", "io.waybill.browser.ConsoleTour");
    assertThat(tree.run("simulate", "--explore", "--states", "5").output())
        .contains("io.waybill.proof.explore.Explore");
    assertThat(tree.run("bench", "drain").output()).contains("building", "io.waybill.bench.Bench");
    assertThat(tree.lines("builds"))
        .anyMatch(line -> line.contains("-pl waybill-proof -am compile"))
        .anyMatch(line -> line.contains("-pl waybill-integration-tests -am test-compile"))
        .anyMatch(line -> line.contains("-pl waybill-integration-tests -am -Pbrowser test-compile"))
        .anyMatch(line -> line.contains("-pl waybill-benchmarks -am package"));
  }

  @Test
  void simulateSaysHowItIsUsedAndCompilesNothing() throws Exception {
    assertThat(tree.run("simulate", "--inbox", "--help").output()).contains("Usage: ", "--seeds N");
  }

  @ParameterizedTest
  @CsvSource({
    "torture, waybill-integration-tests/target/torture.classpath.new",
    "simulate, waybill-proof/target/simulate.classpath.new",
    "bench, waybill-benchmarks/target/bench.classpath.new"
  })
  void twoAtOnceCompileOnce(String script, String classpath) throws Exception {
    tree.maven(
        """
        sleep 1
        echo "$@" >>"$root/builds"
        mkdir -p "$(dirname "$root/%1$s")" && echo "$root/echo.jar" >"$root/%1$s\""""
            .formatted(classpath));
    tree.write("waybill-proof/src/main/java/A.java", "class A {}");
    tree.write("waybill-proof/pom.xml", "<project/>");
    tree.write("waybill-benchmarks/src/main/java/A.java", "class A {}");
    Process one = tree.start(script, "--any");
    Process other = tree.start(script, "--any");
    ScriptRun.end(one);
    ScriptRun.end(other);

    assertThat(tree.lines("builds")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"torture", "simulate", "bench"})
  void aCompilationThatFailsEndsTheScript(String script) throws Exception {
    tree.maven("echo 'what the compiler said'; exit 3");
    tree.write("waybill-benchmarks/src/main/java/A.java", "class A {}");
    Ended run = tree.run(script, "--any");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.output()).endsWith("what the compiler said\n");
  }

  @Test
  void benchCompareBuildsTheRivalsOnce() throws Exception {
    tree.maven(
        """
        echo "$@" >>"$root/builds"
        case "$*" in
          *target/bench.classpath.new*)
            mkdir -p "$root/waybill-benchmarks/target"
            echo "$root/echo.jar" >"$root/waybill-benchmarks/target/bench.classpath.new" ;;
          *) echo 'Could not resolve a rival'; exit 1 ;;
        esac""");
    tree.write("waybill-proof/src/main/java/A.java", "class A {}");
    tree.write("waybill-benchmarks/src/main/java/A.java", "class A {}");
    tree.write("waybill-benchmarks/rivals/pom.xml", "<project/>");
    tree.write("waybill-benchmarks/rivals/one/pom.xml", "<project/>");
    tree.write("waybill-benchmarks/rivals/one/src/main/java/A.java", "class A {}");

    assertThat(tree.run("bench", "drain").output()).doesNotContain("rivals");
    assertThat(tree.run("bench", "compare", "--quick").output())
        .contains(
            "building the rivals", "not every rival could be built", "io.waybill.bench.Bench");
    assertThat(tree.run("bench", "compare").output()).doesNotContain("building");
    assertThat(tree.lines("builds"))
        .hasSize(2)
        .anyMatch(
            line ->
                line.contains("-fae -Privals")
                    && line.contains("-pl waybill-benchmarks/rivals/one -am package"));
    assertThat(tree.lines("waybill-benchmarks/rivals/target/rivals.log"))
        .containsExactly("Could not resolve a rival");
  }
}

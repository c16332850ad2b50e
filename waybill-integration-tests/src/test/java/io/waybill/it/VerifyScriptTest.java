package io.waybill.it;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.it.ScriptRun.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./verify} builds and tests, and what it says of it. */
class VerifyScriptTest {
  @TempDir private Path folder;
  private ScriptRun tree = new ScriptRun(Path.of("unset"));

  @BeforeEach
  void prepare() throws IOException {
    tree = new ScriptRun(folder).copy("verify", "dev");
  }

  @Test
  void verifyCountsWhatTheReportsSayAndNamesFlakyTests() throws Exception {
    tree.maven(
        """
        for argument in "$@"; do
          case "$argument" in
            -Dtest.reports=surefire-reports | -Dtest.reports=surefire-reports-rabbitmq-4)
              mkdir -p "$root/m/target/${argument#*=}"
              cp "$root/report.xml" "$root/m/target/${argument#*=}/TEST-io.waybill.ATest.xml" ;;
          esac
        done""");
    tree.write("report.xml", REPORT.replace("failures=\"1\"", "failures=\"0\""));
    Ended passed = tree.run("verify");
    assertThat(passed.output())
        .containsPattern("\nAll tests on JDK [0-9]+ +[0-9]+ s   4 passed, 0 failed, 1 skipped\n")
        .containsPattern(
            "\nMySQL 9 with its own driver +[0-9]+ s   0 passed, 0 failed, 0 skipped\n")
        .contains("Failed first, passed when run again: io.waybill.ATest.shaky[2]: ")
        .contains("Failed first, passed when run again: io.waybill.ATest.unsteady: closed ")
        .doesNotContain("again: io.waybill.ATest.steady")
        .as("of two passes")
        .endsWith("8 passed, 0 failed, 2 skipped, 4 flaky\n");
    assertThat(passed.code()).isZero();

    tree.write("report.xml", REPORT);
    Ended failed = tree.run("verify");
    assertThat(failed.output())
        .contains(
            "\nFailed: io.waybill.ATest.broken: expected: 1 org.opentest4j.AssertionFailedError\n")
        .doesNotContain("Failed: io.waybill.ATest.steady")
        .endsWith("6 passed, 2 failed, 2 skipped, 4 flaky\n");
    assertThat(failed.code()).isOne();
  }

  /** As Surefire writes it where failing tests are run again. */
  private static final String REPORT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite version="3.0.2" name="io.waybill.ATest" time="1.9" tests="5" errors="0" skipped="1" failures="1" flakes="2">
        <testcase name="steady" classname="io.waybill.ATest" time="0.1"/>
        <testcase name="shaky[2]" classname="io.waybill.ATest" time="0.2">
          <flakyFailure message="expected: 1" type="org.opentest4j.AssertionFailedError">
            <stackTrace><![CDATA[...]]></stackTrace>
          </flakyFailure>
          <flakyFailure message="expected: 1" type="org.opentest4j.AssertionFailedError"/>
        </testcase>
        <testcase name="unsteady" classname="io.waybill.ATest" time="0.2">
          <flakyError message="closed" type="java.lang.IllegalStateException"/>
        </testcase>
        <testcase name="broken" classname="io.waybill.ATest" time="0.2">
          <failure message="expected: 1" type="org.opentest4j.AssertionFailedError"/>
          <rerunFailure message="expected: 1" type="org.opentest4j.AssertionFailedError"/>
        </testcase>
        <testcase name="skipped" classname="io.waybill.ATest" time="0"><skipped/></testcase>
      </testsuite>
      """;

  @Test
  void verifyNamesTheServersThatItUsedAndThoseItLeftOut() throws Exception {
    tree.maven(
        """
        mkdir -p "$root/a/target/surefire-reports"
        echo '<testsuite tests="2" skipped="1" errors="0" failures="0" >' >"$root/a/target/surefire-reports/TEST-A.xml"
        for argument in "$@"; do
          case "$argument" in
            -Dwaybill.servers.report=*)
              printf '%s\\n' 'USED: RabbitMQ 4.3.6' 'LEFT OUT: MySQL 9: this machine has no apt-get' \\
                'USED: Kafka 4.3.1' 'USED: RabbitMQ 3.10.8' >>"${argument#*=}" ;;
          esac
        done""");
    Ended run = tree.run("verify");

    assertThat(run.output())
        .containsOnlyOnce(
            """
            Servers: Kafka 4.3.1, RabbitMQ 3.10.8, RabbitMQ 4.3.6
            LEFT OUT: MySQL 9: this machine has no apt-get
            """);
    assertThat(run.code()).isZero();
  }

  @Test
  @Tag("long")
  void verifyRunsTheTestsOfRabbitMqOnRabbitMq4Too() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify");

    assertThat(tree.lines("builds"))
        .anyMatch(
            hasAll(
                "-Dwaybill.rabbitmq=unpacked",
                "-Dtest=RabbitPublisherContractTest,",
                "-Dtest.excluded=long"));
    tree.run("verify", "--full");

    assertThat(tree.lines("builds"))
        .anyMatch(
            hasAll("-Dwaybill.rabbitmq=unpacked", "-Dtest=Rabbit*Test,", "-Dtest.excluded=never"));
  }

  @Test
  @Tag("long")
  void verifyInFullAlsoRunsTheDatabaseTestsOnTheOldestPostgres() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify", "--full");

    assertThat(tree.lines("builds"))
        .anyMatch(line -> line.contains("-Dtest.excluded=never"))
        .anyMatch(
            hasAll(
                "-Dpostgres.tested.version=14.",
                "-Dtest.excluded=never",
                "-Dtest=Postgres*Test,*Append*Test"));
  }

  @Test
  @Tag("long")
  void verifyInFullAlsoRunsTheStarterOnTheOlderLine() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify", "--full");
    assertThat(Files.readString(Path.of("..", "waybill-spring-parent", "pom.xml")))
        .contains("<id>spring-boot-4.0</id>");
    assertThat(tree.lines("builds"))
        .anyMatch(
            hasAll(
                "-Pspring-boot-4.0",
                "-Dtest.excluded=never",
                "-pl waybill-spring-boot-starter",
                "-Dtest=io/waybill/spring/**/*Test"));
  }

  @Test
  @Tag("long")
  void verifyInFullSaysThatCurlIsMissing() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.program("curl", "exit 127");
    Ended run = tree.run("verify", "--full");

    assertThat(run.output()).contains("curl is not installed: install the package curl.");
    assertThat(run.code()).isEqualTo(69);
    assertThat(tree.lines("builds")).isEmpty();
    tree.run("verify");
    assertThat(tree.lines("builds")).isNotEmpty();
  }

  @Test
  @Tag("long")
  void verifyRunsTheContractsOnMySql9AndInFullAllTestsWithBothDrivers() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify");

    assertThat(tree.lines("builds"))
        .filteredOn(line -> line.contains("-Dwaybill.mysql.kind=MYSQL"))
        .singleElement()
        .asString()
        .contains("MySqlOutboxAppendTest,", "-Dwaybill.mysql.driver=connector-j")
        .doesNotContain("MariaDb*");
    tree.run("verify", "--full");

    assertThat(tree.lines("builds"))
        .filteredOn(line -> line.contains("-Dwaybill.mysql.kind=MYSQL"))
        .filteredOn(line -> line.contains("-Dtest=MySql*Test,MariaDb*Test"))
        .hasSize(2)
        .filteredOn(line -> line.contains("-Dwaybill.mysql.driver=connector-j"))
        .hasSize(1);
  }

  /** A module that is not named is tested with the others. */
  @Test
  void verifyTestsEachModuleOnce() throws Exception {
    Files.copy(Path.of("..", "pom.xml"), folder.resolve("pom.xml"), REPLACE_EXISTING);
    for (String module : modules()) {
      tree.write(module + "/pom.xml", "<project/>");
    }
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify");

    assertThat(tree.lines("builds"))
        .filteredOn(line -> line.contains("-Dtest.reports=surefire-reports "))
        .extracting(line -> line.replaceFirst(".* -pl (\\S+) .*", "$1"))
        .flatExtracting(list -> List.of(list.split(",", -1)))
        .containsExactlyInAnyOrderElementsOf(modules());
  }

  private static Predicate<String> hasAll(String... parts) {
    return line -> Stream.of(parts).allMatch(line::contains);
  }

  private static List<String> modules() throws IOException {
    String pom = Files.readString(Path.of("..", "pom.xml"));
    return Pattern.compile("<module>(.*)</module>")
        .matcher(pom.substring(0, pom.indexOf("</modules>")))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  @Tag("long")
  void whatVerifyStartedEndsWithIt() throws Exception {
    tree.maven(
        """
        case "$*" in *surefire:test*) ;; *) exit 0 ;; esac
        echo $$ >>"$root/running"
        exec sleep 600""");
    Process verify = tree.start("verify");
    await().until(() -> !tree.lines("running").isEmpty());
    verify.toHandle().destroy();

    assertThat(ScriptRun.end(verify).code()).isEqualTo(143);
    List<String> running = tree.lines("running");
    await()
        .until(() -> running.stream().allMatch(p -> ProcessHandle.of(Long.parseLong(p)).isEmpty()));
  }

  @Test
  @Tag("long")
  void verifyRunsTheTestsOfMySqlOnAGivenServer() throws Exception {
    tree.maven("echo \"$@\" >>\"$root/builds\"");
    tree.run("verify", "--mysql-url", "jdbc:mariadb://db/?user=u&password=p");

    assertThat(tree.lines("builds"))
        .anyMatch(
            hasAll(
                "-Dwaybill.mysql.url=jdbc:mariadb://db/?user=u&password=p",
                "-Dtest.excluded=never",
                "-Dtest=MySql*Test,MariaDb*Test"));
    assertThat(tree.run("verify", "--mysql-url").code()).isNotZero();
  }

  @Test
  void verifyFailsWhereTheBuildFailsOrNothingRan() throws Exception {
    tree.maven("exit 0");
    assertThat(tree.run("verify").code()).isOne();
    tree.maven("exit 1");
    Ended run = tree.run("verify");

    assertThat(run.output()).contains("THE BUILD FAILED");
    assertThat(run.code()).isOne();
    assertThat(tree.run("verify", "--nonsense").code()).isEqualTo(2);
  }
}

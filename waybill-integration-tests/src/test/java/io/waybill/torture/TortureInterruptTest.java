package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C, as a terminal sends it: to the whole process group. */
@Tag("server")
@Tag("long")
class TortureInterruptTest {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(5));

  /** The path of a server's socket in it must not be longer than 107 characters. */
  private static final Path SHORT = Path.of("/tmp");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "starting servers|postgresql-kafka",
        "starting servers|mariadb-rabbitmq",
        "events committed|postgresql-rabbitmq",
        "events committed|mariadb-kafka"
      })
  void leavesNoProcessAndNoMountAndDoesNotEndWithZero(String moment, String pair) throws Exception {
    Path output = folder.resolve("output");
    Path temporary = Files.createDirectory(SHORT.resolve("ti-" + System.nanoTime() % 1_000_000));
    Process torture = start(pair, temporary, output);
    try {
      Awaitility.await(moment)
          .atMost(LIMIT)
          .until(() -> Files.readString(output).contains(moment) || !torture.isAlive());
      assertThat(torture.isAlive()).as(Files.readString(output)).isTrue();
      String group = "-" + torture.pid();
      assertThat(new ProcessBuilder("kill", "-INT", "--", group).start().waitFor()).isZero();
      assertThat(torture.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as(Files.readString(output))
          .isTrue();
    } finally {
      torture.destroyForcibly();
    }
    assertThat(torture.exitValue()).as(Files.readString(output)).isNotZero();
    Awaitility.await("the watchdogs' end")
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .untilAsserted(() -> assertThat(processesIn(temporary)).isEmpty());
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(temporary.toString());
    // What is left is what later servers start from.
    new ProcessBuilder("rm", "-rf", temporary.toString()).start().waitFor();
  }

  private static Process start(String pair, Path temporary, Path output) throws IOException {
    List<String> command =
        List.of(
            "setsid",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + temporary,
            "-Dlogback.configurationFile=torture-logback.xml",
            "-cp",
            System.getProperty("java.class.path"),
            Torture.class.getName(),
            "--minutes",
            "3",
            "--pair",
            pair,
            "--seed",
            "1",
            "--rate",
            "60");
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** Processes that say the folder in their command or environment, or work in it. */
  private static List<String> processesIn(Path folder) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("\\d+"))
          .filter(process -> says(process, folder.toString()))
          .map(process -> text(process.resolve("cmdline")))
          .toList();
    }
  }

  private static boolean says(Path process, String folder) {
    try {
      if (Files.readSymbolicLink(process.resolve("cwd")).toString().startsWith(folder)) {
        return true;
      }
    } catch (IOException e) {
      return false; // It has just ended, or is the kernel's.
    }
    return text(process.resolve("cmdline")).contains(folder)
        || text(process.resolve("environ")).contains(folder);
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}

package io.waybill.examples.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.Interrupts;
import io.waybill.testkit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The program as {@code ./waybill example wallet} runs it. */
class WalletExampleTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));

  @Tag("server")
  @Test
  void everyCommittedOperationArrivesAndTheMetricsAreShown() {
    carriesEverything("postgresql", "fixed");
  }

  @Tag("long")
  @Test
  void itDoesSoOnMariaDbAndWithAnAdaptiveSchedule() {
    carriesEverything("mariadb", "adaptive");
  }

  private static void carriesEverything(String database, String schedule) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code =
          new CommandLine(new WalletExample(out, new Interrupts()))
              .execute("--database", database, "--schedule", schedule, "--operations", "400");
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(output).isZero();
    assertThat(output)
        .containsPattern("\\d+ operations committed, [1-9]\\d* rolled back")
        .contains("lost 0, ghosts 0, order breaks 0, duplicates 0")
        .containsPattern("waybill.events.published +\\d+")
        .containsPattern("wallet.outbox.queue.size +0")
        .containsPattern("waybill.latency.creation.to.read +mean [\\d.,]+ ms")
        .contains("wallet.outbox.serialization.failures", "waybill.events.dead");
  }

  @Tag("server")
  @Test
  @Tag("long")
  void anInterruptStopsTheOperationsAndStillCompares(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder(
                // Where the tests run in the background, an interrupt may be ignored.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WalletExample.class.getName(),
                "--schedule=adaptive",
                "--operations=100000")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !process.isAlive() || Files.readString(output).contains("using wallets"));
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      assertThat(output).content().contains("lost 0, ghosts 0, order breaks 0");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aBadOptionIsNamedWithItsRuleAndValue() {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new WalletExample(System.out, new Interrupts()))
            .setErr(new PrintWriter(errors))
            .execute("--operations", "0");

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--operations must be from 1 to 100000, but is 0");
  }
}

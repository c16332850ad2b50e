package io.waybill.examples.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands of the documents as they stand there, except for the port: the script of the
 * repository, which finds this build, and curl; Ctrl-C at the end.
 */
@Tag("server")
@Tag("long")
class ReadmeCommandsTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));
  private static final Pattern BLOCK = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern BASE = Pattern.compile("curl -i (http://127\\.0\\.0\\.1:\\d+)/");
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  @TempDir private Path folder;

  /** The script in a tree where nothing is older than its sources. */
  private void prepare() throws IOException {
    Files.copy(ROOT.resolve("waybill"), folder.resolve("waybill"));
    Path example = Files.createDirectories(folder.resolve("examples/services"));
    Files.copy(Path.of("pom.xml"), example.resolve("pom.xml"));
    Files.createDirectories(example.resolve("target"));
    Files.writeString(example.resolve("target/classpath"), System.getProperty("java.class.path"));
  }

  private static List<String> blocks(String name) throws IOException {
    return BLOCK
        .matcher(Files.readString(Path.of(name + ".md")))
        .results()
        .map(block -> block.group(1).strip())
        .toList();
  }

  private Process start(String command, Path output) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                "env", "--default-signal=INT", "bash", "-c", "exec " + command + " --port 0")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  private static void awaitText(Process process, Path output, String text) {
    await()
        .atMost(PATIENCE)
        .until(() -> !process.isAlive() || Files.readString(output).contains(text));
    assertThat(output).content().contains(text);
  }

  private static String run(String commands) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-ec", commands)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(commands).isZero();
    return output;
  }

  @ParameterizedTest
  @CsvSource({
    "wallet, arrived on FundsTransferredEvent-out-0, wallet-service: process FundsTransferredEvent",
    "notification, arrived on notification.restaurant, notification-service: notification.restaurant receive"
  })
  void theCommandsOfTheDocumentDoWhatItSays(String name, String event, String handled)
      throws Exception {
    prepare();
    List<String> blocks = blocks(name);
    Path output = folder.resolve("out.txt");
    Process process = start(blocks.get(0).replaceFirst(" *#.*", ""), output);
    try {
      awaitText(process, output, "Serving until Ctrl-C. Try:");
      Matcher base = BASE.matcher(Files.readString(output));
      assertThat(base.find()).isTrue();
      follow(blocks.subList(1, blocks.size()), base.group(1));

      awaitText(process, output, event);
      awaitText(process, output, handled);
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Where a command says ID or TO, it means wallets: the one that was made first, and another. */
  private static void follow(List<String> blocks, String base) throws Exception {
    String id = "";
    for (String block : blocks) {
      String commands = block.replace("http://127.0.0.1:8080", base);
      if (block.contains("TO")) {
        commands = commands.replace("TO", id(run(first(blocks, base))));
      }
      String answers = run(commands.replace("ID", id));
      long sent = Pattern.compile("\\bcurl ").matcher(block).results().count();
      assertThat(Pattern.compile("HTTP/1.1 20[01]").matcher(answers).results())
          .as(commands + "\n" + answers)
          .hasSize((int) sent);
      id = id(answers);
    }
  }

  private static String first(List<String> blocks, String base) {
    return blocks.get(0).replace("http://127.0.0.1:8080", base);
  }

  private static String id(String answers) {
    return ID.matcher(answers).results().map(id -> id.group(1)).findFirst().orElse("");
  }
}

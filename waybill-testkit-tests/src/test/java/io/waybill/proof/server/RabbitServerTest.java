package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class RabbitServerTest {
  @Test
  void keepsPersistentMessagesThroughKillAndRestart() throws Exception {
    try (RabbitServer server = RabbitServer.launch()) {
      try (Connection connection = connect(server);
          Channel channel = connection.createChannel()) {
        Map<String, Object> quorum = Map.of("x-queue-type", "quorum");
        channel.queueDeclare("kept", true, false, false, quorum);
        channel.confirmSelect();
        channel.basicPublish("", "kept", MessageProperties.PERSISTENT_BASIC, new byte[] {7});
        channel.waitForConfirmsOrDie(10_000);
      }
      server.kill();
      assertThatThrownBy(() -> connect(server)).isInstanceOf(IOException.class);
      server.start();
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(20)))
          .until(() -> holdsOne(server, "kept"));
    }
  }

  @Test
  void runsCommandsAndReportsTheirFailure() {
    try (RabbitServer server = RabbitServer.launch()) {
      assertThat(server.ctl("list_users")).contains("guest");
      assertThatThrownBy(() -> server.ctl("no_such_command"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no_such_command");
      server.stop();
      server.start();
      server.freeze();
      server.thaw();
      assertThat(server.ctl("list_users")).contains("guest");
    }
  }

  @Test
  void leavesNothingBehindWhenItsJvmIsKilled(@TempDir Path directory) throws Exception {
    Path report = directory.resolve("node");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Launcher.class.getName(),
            report.toString());
    Process jvm = builder.redirectErrorStream(true).start();
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(100)))
        .until(() -> Files.exists(report));
    List<String> lines = Files.readAllLines(report);
    ProcessHandle broker = ProcessHandle.of(Long.parseLong(lines.get(0))).orElseThrow();
    Path home = Path.of(lines.get(1));
    List<ProcessHandle> mine = processesMentioning(home);
    assertThat(mine).isNotEmpty();
    assertThat(broker.isAlive()).isTrue();
    jvm.destroyForcibly();
    assertThat(jvm.waitFor(10, TimeUnit.SECONDS)).isTrue();
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(
            () ->
                !broker.isAlive()
                    && mine.stream().noneMatch(ProcessHandle::isAlive)
                    && !Files.exists(home));
  }

  /** Runs in a JVM of its own, to be killed. */
  static final class Launcher {
    public static void main(String[] arguments) throws Exception {
      RabbitServer server = RabbitServer.launch();
      Path home = Path.of(server.ctl("eval", "os:getenv(\"HOME\").").replace("\"", "").strip());
      Path report = Path.of(arguments[0]);
      Path draft = report.resolveSibling("draft");
      Files.write(draft, List.of(Long.toString(server.pid()), home.toString()));
      Files.move(draft, report);
      Thread.currentThread().join();
    }
  }

  private static List<ProcessHandle> processesMentioning(Path home) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(process -> workingDirectory(process).equals(home.toString())).toList();
    }
  }

  private static String workingDirectory(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static Connection connect(RabbitServer server) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(server.uri());
    return factory.newConnection("test");
  }

  private static boolean holdsOne(RabbitServer server, String queue) throws Exception {
    try (Connection connection = connect(server);
        Channel channel = connection.createChannel()) {
      return channel.basicGet(queue, false) != null;
    }
  }
}

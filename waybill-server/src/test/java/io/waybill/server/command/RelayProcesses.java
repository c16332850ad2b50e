package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.BuiltRelay;
import io.waybill.server.WaybillCommand;
import io.waybill.server.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Relays and commands of one test as processes of their own, with one log; they end with it, also
 * when it is interrupted.
 */
final class RelayProcesses implements AutoCloseable {
  private final List<Process> all = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::end, "end relays");
  private final Path log;

  RelayProcesses(Path folder) {
    this.log = folder.resolve("log");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  Process start(Path config, Map<String, String> environment) throws IOException {
    return run(config, environment, "relay");
  }

  /** Starts any command. */
  Process run(Path config, Map<String, String> environment, String... command) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx200m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    arguments.addAll(BuiltRelay.start(WaybillCommand.class.getName()));
    arguments.addAll(List.of(command));
    arguments.addAll(List.of("--config", config.toString()));
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    all.add(process);
    return process;
  }

  /** Asks a relay to stop, and waits until it has, without anything left undone. */
  void stop(Process relay) throws IOException, InterruptedException {
    relay.destroy();
    assertThat(relay.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).as(log()).isEqualTo(ExitCode.OK);
  }

  String log() throws IOException {
    return Files.exists(log) ? Files.readString(log) : "";
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private void end() {
    all.forEach(Process::destroyForcibly);
  }
}

package io.waybill.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A standalone relay in a process of its own. */
final class RelayProcess implements AutoCloseable {
  private final Process process;
  private final Path log;
  private boolean ended;

  private RelayProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static RelayProcess start(Path folder, String name, String configuration) {
    try {
      Path config = folder.resolve(name + ".yaml");
      Files.writeString(config, configuration);
      Path log = folder.resolve(name + ".log");
      List<String> command =
          List.of(
              System.getProperty("java.home") + "/bin/java",
              "-Xmx128m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              "io.waybill.server.WaybillCommand",
              "relay",
              "--config",
              config.toString());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().put("RABBIT_TEST_PASSWORD", "guest");
      Process process = builder.start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new RelayProcess(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL: the process has no chance to say anything. */
  void kill() {
    ended = true;
    process.destroyForcibly();
    await(10);
  }

  /** SIGTERM, and waits for the end. Returns the exit code. */
  int stop() {
    ended = true;
    process.destroy();
    await(40);
    return process.exitValue();
  }

  /** Freezes the process, as a long pause of the machine would. */
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(int seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the relay did not end within " + seconds + " s: " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean endedByItself() {
    return !ended && !process.isAlive();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What the relay wrote. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

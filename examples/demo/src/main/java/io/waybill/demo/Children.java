package io.waybill.demo;

import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The demo's own folder and the Java processes in it: same JVM, same class path. They end with this
 * process, also when it is killed, and the folder goes with them. Thread-safe.
 */
final class Children implements AutoCloseable {
  private static final int LAST_LINES = 20;
  private static final int SIGTERM = 128 + 15;
  private static final List<String> SMALL_JVM =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Path folder;
  private final ProcessGuard guard;

  Children() throws IOException {
    folder = Files.createTempDirectory("waybill-demo-");
    guard = new ProcessGuard(folder);
  }

  Path folder() {
    return folder;
  }

  /** Starts a class with a main method. What it prints goes to a file of the folder. */
  Process start(String name, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SMALL_JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    return guard.run(name, Map.of(), command);
  }

  /** What a child printed last. */
  List<String> lastLines(String name) throws IOException {
    Path file = folder.resolve(name + ".out");
    if (!Files.exists(file)) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(file);
    return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
  }

  /** Refuses to go on when a child that has to run has ended. */
  void requireAlive(String name, Process process) throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "%s ended with exit code %d; its last lines:%n%s"
              .formatted(name, process.exitValue(), String.join("\n", lastLines(name))));
    }
  }

  /** Refuses to go on when a child that may end by itself has failed. */
  void requireNotFailed(String name, Process process) throws IOException {
    if (!process.isAlive() && process.exitValue() != 0 && process.exitValue() != SIGTERM) {
      requireAlive(name, process);
    }
  }

  /** Asks a process to end (SIGTERM), and kills it when it does not. */
  static void stop(Process process, int seconds) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void close() {
    guard.close();
  }
}

package io.waybill.it;

import io.waybill.server.WaybillCommand;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The demo as a process of its own, with its servers' folders in one place. */
public final class DemoRun implements AutoCloseable {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(5));

  private final Path folder;
  private final Process process;

  public DemoRun(Path folder, String... options) throws IOException {
    this.folder = folder;
    // Where the tests run in the background, an interrupt may be ignored; Java keeps to that.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-Djava.io.tmpdir=" + folder));
    // The binaries of the database are unpacked once for all runs.
    command.add("-Dot.epg.working-dir=" + System.getProperty("java.io.tmpdir") + "/embedded-pg");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WaybillCommand.class.getName(), "demo"));
    command.addAll(List.of(options));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output().toFile())
            .start();
  }

  private Path output() {
    return folder.resolve("demo.txt");
  }

  public List<String> lines() throws IOException {
    return Files.readAllLines(output());
  }

  public void awaitLineWith(String text) throws IOException {
    Awaitility.await(text).atMost(PATIENCE).until(() -> !process.isAlive() || hasLineWith(text));
    if (!hasLineWith(text)) {
      throw new IllegalStateException("The demo ended early: " + String.join("\n", lines()));
    }
  }

  public String lineWith(String text) throws IOException {
    return lines().stream().filter(line -> line.contains(text)).findFirst().orElseThrow();
  }

  /** A process's command line, of which Java shows only the beginning. */
  static List<String> command(ProcessHandle process) {
    try {
      return List.of(
          Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
              .split("\0", -1));
    } catch (IOException e) {
      return List.of(""); // It has ended.
    }
  }

  private boolean hasLineWith(String text) throws IOException {
    return lines().stream().anyMatch(line -> line.contains(text));
  }

  /** Waits for the end; returns the exit code. */
  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("The demo goes on for more than " + PATIENCE);
    }
    return process.exitValue();
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Its children and their children, and the database, which belongs to nobody. */
  List<ProcessHandle> processes() throws IOException {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    for (Path file : postmasters()) {
      long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
      ProcessHandle.of(pid).ifPresent(all::add);
    }
    return all;
  }

  private List<Path> postmasters() throws IOException {
    try (Stream<Path> files = Files.find(folder, 3, (path, a) -> path.endsWith("postmaster.pid"))) {
      return files.toList();
    }
  }

  /** Folders of servers and processes. */
  List<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(path -> path.getFileName().toString().startsWith("waybill-")).toList();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

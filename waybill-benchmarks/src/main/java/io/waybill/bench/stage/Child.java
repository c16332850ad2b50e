package io.waybill.bench.stage;

import io.waybill.bench.child.ChildMain;
import io.waybill.bench.measure.Proc;
import io.waybill.bench.measure.Settings;
import io.waybill.proof.server.Frozen;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that plays a part. It ends with this object, and with this process. */
public final class Child implements AutoCloseable {
  private static final int SHOWN_LOG = 3000;

  private final Process process;
  private final BufferedWriter input;
  private final Path log;
  // Empty stands for the end of its output.
  private final LinkedBlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
  private final List<List<String>> passed = new ArrayList<>();

  private Child(Process process, Path log) {
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.log = log;
    Thread reader = new Thread(this::readLines, "child-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a process.
   *
   * @param role what it plays
   * @param settings what it is told
   * @param heapMb size of its heap
   * @param log where it logs to
   */
  public static Child start(ChildMain.Role role, Settings settings, int heapMb, Path log) {
    return start(Program.of(role, List.of()), settings, heapMb, log);
  }

  /**
   * What a process runs.
   *
   * @param classPath of the process
   * @param main class that is started
   * @param role its first argument
   * @param options of its virtual machine; those of all children win over them
   */
  public record Program(String classPath, String main, String role, List<String> options) {
    /** Copies the options. */
    public Program {
      options = List.copyOf(options);
    }

    /**
     * One of ours.
     *
     * @param role what it plays
     * @param options of its virtual machine
     */
    public static Program of(ChildMain.Role role, List<String> options) {
      return new Program(
          System.getProperty("java.class.path"), ChildMain.class.getName(), role.name(), options);
    }
  }

  /**
   * Starts a process.
   *
   * @param program what it runs
   * @param settings what it is told
   * @param heapMb size of its heap
   * @param log where it logs to
   */
  public static Child start(Program program, Settings settings, int heapMb, Path log) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heapMb + "m",
                "-Xmx" + heapMb + "m",
                "-Dlogback.configurationFile=bench-logback.xml"));
    command.addAll(program.options());
    String more = System.getProperty("bench.child.jvm", "");
    if (!more.isEmpty()) {
      command.addAll(List.of(more.replace("%r", program.role()).split(" ", -1)));
    }
    command.addAll(List.of("-cp", program.classPath(), program.main(), program.role()));
    command.addAll(settings.arguments());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
      return new Child(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void readLines() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException broken) {
      // The same as the end of the output.
    }
    lines.add(Optional.empty());
  }

  /**
   * Waits for a line that begins with a word. Other lines before it are kept for those who will ask
   * for them: a process may be done before it is asked how far it is.
   *
   * @return the words after it
   */
  public List<String> await(String word, Duration limit) {
    for (List<String> words : passed) {
      if (words.get(0).equals(word)) {
        passed.remove(words);
        return words.subList(1, words.size());
      }
    }
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      List<String> words = List.of(next(word, end - System.nanoTime()).split(" ", -1));
      if (words.get(0).equals(word)) {
        return words.subList(1, words.size());
      }
      passed.add(words);
    }
  }

  private String next(String word, long nanos) {
    try {
      Optional<String> line = lines.poll(nanos, TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new IllegalStateException("No " + word + " in time from a child; " + logTail());
      }
      return line.orElseThrow(
          () -> new IllegalStateException("A child ended before " + word + "; " + logTail()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + word, e);
    }
  }

  /** Tells it a word. */
  public void say(String word) {
    try {
      input.write(word + "\n");
      input.flush();
    } catch (IOException e) {
      throw new IllegalStateException("A child is gone; " + logTail(), e);
    }
  }

  /** Ends it without warning. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Stops it from running without ending it. */
  public void freeze() {
    Frozen.freeze(pid());
  }

  /** Lets it run again. */
  public void thaw() {
    Frozen.thaw(pid());
  }

  private long pid() {
    return process.pid();
  }

  /** How many events it has finished, and when it finished the last of them. */
  public Count count() {
    say("count");
    List<String> words = await("count", Duration.ofSeconds(30));
    return new Count(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)));
  }

  /**
   * An answer of a child.
   *
   * @param events finished
   * @param nanos monotonic time of the last one
   */
  public record Count(long events, long nanos) {}

  /** Of its process so far. */
  public double cpuSeconds() {
    return Proc.cpuSeconds(pid());
  }

  /** Largest resident memory of its process so far. */
  public double peakRssMb() {
    return Proc.peakRssMb(pid());
  }

  private String logTail() {
    try {
      String all = Files.readString(log);
      return "its log ends with: " + all.substring(Math.max(0, all.length() - SHOWN_LOG));
    } catch (IOException e) {
      return "its log is gone";
    }
  }

  /** Waits for a child that was told to stop. */
  public void awaitEnd(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("A child did not stop; " + logTail());
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException("A child failed; " + logTail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a child stopped", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

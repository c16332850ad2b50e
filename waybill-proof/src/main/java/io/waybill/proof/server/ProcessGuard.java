package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A temporary directory with the processes that were started from it, and a watchdog that ends them
 * all, unmounts what is mounted in the directory and deletes it once this JVM is gone, however it
 * went.
 *
 * <p>The watchdog is a shell that waits for the end of its standard input: the kernel closes that
 * pipe when the JVM dies, also by {@code kill -9}. Methods may be called by any thread.
 */
public final class ProcessGuard implements AutoCloseable {
  private static final String WATCH =
      """
      trap '' INT TERM HUP
      while read -r line; do :; done
      for file in "$1"/*.pid; do
        [ -f "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null
      done
      for file in "$1"/*/postmaster.pid; do
        [ -f "$file" ] || continue
        kill -QUIT "$(head -n 1 "$file")" 2>/dev/null
        kill -CONT "$(head -n 1 "$file")" 2>/dev/null
      done
      sleep 0.2
      while read -r what where rest; do
        case "$where" in "$1"/*) umount -l "$where" ;; esac
      done 2>/dev/null </proc/mounts
      rm -rf "$1"
      """;

  /** A Ctrl-C in the terminal goes to the parent alone, which then ends its children in order. */
  private static final String EXEC =
      """
      trap '' INT
      echo $$ > "$1.tmp" && mv "$1.tmp" "$1" && shift && exec "$@"
      """;

  private final Path directory;
  private final Process watchdog;

  /**
   * Starts the watchdog.
   *
   * @param directory existing directory, deleted in the end
   */
  public ProcessGuard(Path directory) {
    this.directory = directory;
    this.watchdog =
        start(
            new ProcessBuilder("sh", "-c", WATCH, "waybill-watchdog", directory.toString())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD));
  }

  /**
   * Starts a process that the watchdog knows from its first moment. Its standard input is empty,
   * what it prints is appended to {@code <name>.out} in the directory.
   *
   * @param name name of its pid and output file
   * @param environment variables to add
   * @param command program and arguments
   * @return the process; its pid is the program's own
   */
  public Process run(String name, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", EXEC, "sh", directory.resolve(name + ".pid").toString());
    builder.command().addAll(command);
    builder.environment().putAll(environment);
    builder.directory(directory.toFile());
    builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(Redirect.appendTo(directory.resolve(name + ".out").toFile()));
    return start(builder);
  }

  /** Ends what still runs, deletes the directory and waits for both. */
  @Override
  public void close() {
    try {
      watchdog.getOutputStream().close();
      if (!watchdog.waitFor(20, TimeUnit.SECONDS)) {
        watchdog.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + builder.command().get(0), e);
    }
  }
}

package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Which servers a test run used, and which it had to leave out. All processes of a run write to the
 * file that the system property {@value #PROPERTY} names, one line each; without it, this process
 * remembers alone. Thread-safe.
 */
final class ServerReport {
  static final String PROPERTY = "waybill.servers.report";

  private static final String USED = "USED: ";
  private static final String LEFT_OUT = "LEFT OUT: ";
  private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

  private ServerReport() {}

  /** A server has started and has said which version it is. */
  static void used(String server, String version) {
    write(USED + server + " " + version);
  }

  /** A server cannot be had on this machine. */
  static void leftOut(String server, String reason) {
    write(leftOut(server) + reason.lines().findFirst().orElse("no reason is known"));
  }

  /** Leaves the calling test out: a server or program cannot be had on this machine. */
  static void abort(String title, String reason) {
    Assumptions.abort(leftOut(title) + reason);
  }

  /** Why a server cannot be had, if this run has found that out before. */
  static Optional<String> reason(String server) {
    String start = leftOut(server);
    return Stream.concat(WRITTEN.stream(), lines().stream())
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst();
  }

  private static String leftOut(String server) {
    return LEFT_OUT + server + ": ";
  }

  private static void write(String line) {
    if (!WRITTEN.add(line) || file().isEmpty()) {
      return;
    }
    try {
      // A short line that is appended is written at once, so that processes do not mix.
      Files.writeString(
          file().get(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines() {
    try {
      return file().isPresent() && Files.exists(file().get())
          ? Files.readAllLines(file().get())
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Path> file() {
    return Optional.of(System.getProperty(PROPERTY, ""))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }
}

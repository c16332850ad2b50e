package io.waybill.it;

import io.waybill.proof.crash.CrashStep;
import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that runs {@link DoomedRelay}. */
final class DoomedProcess implements AutoCloseable {
  private static final String NAME = "doomed";
  private static final int KILLED = 128 + 9;
  private static final long PATIENCE_SECONDS = 120;
  private static final int SHOWN_LOG = 4_000;

  private final Process process;
  private final Path folder;
  private final ProcessGuard guard;

  DoomedProcess(String url, String broker, CrashStep step) {
    try {
      folder = Files.createTempDirectory("waybill-crash");
      List<String> command =
          List.of(
              System.getProperty("java.home") + "/bin/java",
              "-Xmx96m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              DoomedRelay.class.getName(),
              url,
              broker,
              step.name(),
              report().toString());
      guard = new ProcessGuard(folder);
      process = guard.run(NAME, Map.of(), command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path report() {
    return folder.resolve("in-flight");
  }

  /** The end of its log. */
  private String log() {
    try {
      String log = Files.readString(folder.resolve(NAME + ".out"));
      return log.substring(Math.max(0, log.length() - SHOWN_LOG));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails when it has ended, instead of letting others wait for what it will not do. */
  void assertAlive() {
    if (!process.isAlive()) {
      throw new AssertionError("The relay ended by itself: " + log());
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /**
   * Waits until it has killed itself.
   *
   * @return number of messages that were handed to the publisher and not settled
   */
  int awaitDeath() {
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!ended || process.exitValue() != KILLED || !Files.exists(report())) {
        throw new AssertionError(
            "The relay did not reach its step, ended %s: %s".formatted(ended, log()));
      }
      return Integer.parseInt(Files.readString(report()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    guard.close();
  }
}

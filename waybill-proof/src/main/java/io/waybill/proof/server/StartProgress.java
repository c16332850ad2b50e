package io.waybill.proof.server;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * How long a server that starts is waited for: as long as it writes, since a machine with much else
 * to do may take many times as long as an idle one. Not thread-safe.
 */
final class StartProgress {
  /** A server that has written nothing for so long hangs. */
  static final Duration STALL = Patience.of(Duration.ofMinutes(3));

  /** A server that writes the same complaint again and again comes to an end all the same. */
  static final Duration MOST = STALL.multipliedBy(7);

  private final Path folder;
  private final LongSupplier clock;
  private final long began;
  private long written = -1;
  private long grown;

  /**
   * Begins to wait.
   *
   * @param folder where the server writes its output, its log and its data
   */
  StartProgress(Path folder) {
    this(folder, System::nanoTime);
  }

  /** With a clock in nanoseconds. */
  StartProgress(Path folder, LongSupplier clock) {
    this.folder = folder;
    this.clock = clock;
    this.began = clock.getAsLong();
    this.grown = began;
  }

  /** Whether to wait no longer. */
  boolean isStalled() {
    long now = clock.getAsLong();
    long size = size();
    if (size != written) {
      written = size;
      grown = now;
    }
    return now - grown > STALL.toNanos() || now - began > MOST.toNanos();
  }

  private long size() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(StartProgress::size).sum();
    } catch (IOException | RuntimeException e) {
      // The server removed a file while this looked: it is at work.
      return written + 1;
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}

package io.waybill.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The times of day of processes, each of which can be shifted while it runs, by libfaketime. Time
 * that only ever goes on (what time-outs are measured with) is not touched: an offset of it means
 * nothing.
 */
final class Clocks {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "faketime/libfaketime.so.1";

  private final Path folder;
  private final Optional<Path> library;

  /** Offsets are files of the folder. */
  Clocks(Path folder) {
    this(folder, installed());
  }

  Clocks(Path folder, Optional<Path> library) {
    this.folder = folder;
    this.library = library;
  }

  /** Why no clock can be shifted, if that is so. */
  Optional<String> missing() {
    return library.isPresent()
        ? Optional.empty()
        : Optional.of("the package libfaketime is not installed");
  }

  /** What a process of that name is started with. */
  Map<String, String> environment(String process) {
    return library
        .map(
            path ->
                Map.of(
                    "LD_PRELOAD",
                    path.toString(),
                    "FAKETIME_TIMESTAMP_FILE",
                    offset(process).toString(),
                    // Seconds after which a process sees a new offset.
                    "FAKETIME_CACHE_DURATION",
                    "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC",
                    "1",
                    // Otherwise timed waits end early.
                    "FAKETIME_FORCE_MONOTONIC_FIX",
                    "0",
                    // A killed process would leave its shared memory behind.
                    "FAKETIME_DISABLE_SHM",
                    "1"))
        .orElse(Map.of());
  }

  /** From now on the process sees the machine's time of day plus so many seconds. */
  void shift(String process, Duration offset) {
    try {
      Path draft = folder.resolve(process + ".clock.draft");
      Files.writeString(draft, "%+d%n".formatted(offset.toSeconds()));
      Files.move(draft, offset(process), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path offset(String process) {
    return folder.resolve(process + ".clock");
  }

  private static Optional<Path> installed() {
    try (Stream<Path> folders = Files.list(LIBRARIES)) {
      return Stream.concat(Stream.of(LIBRARIES, Path.of("/usr/lib64")), folders)
          .map(folder -> folder.resolve(LIBRARY))
          .filter(Files::isReadable)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}

package io.waybill.proof.server;

import io.waybill.testkit.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The process of a broker: started, frozen, ended. Not thread-safe. */
final class KafkaProcess {
  private static final Duration STOP_LIMIT = Patience.of(Duration.ofSeconds(20));

  private final File log;
  private final Supplier<List<String>> command;
  private @Nullable Process process;
  private @Nullable Process thawWatch;

  /**
   * Nothing runs yet.
   *
   * @param log where what it prints is appended
   * @param command program and arguments
   */
  KafkaProcess(File log, Supplier<List<String>> command) {
    this.log = log;
    this.command = command;
  }

  void begin() {
    if (process != null) {
      throw new IllegalStateException("the broker is already running");
    }
    try {
      process =
          new ProcessBuilder(command.get())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process running() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException("the broker is not running");
    }
    return current;
  }

  void kill() {
    running().destroyForcibly();
    awaitEnd();
  }

  void stop() {
    running().destroy();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!running().waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        running().destroyForcibly().waitFor();
      }
      process = null;
    } catch (InterruptedException e) {
      killNow();
      Thread.currentThread().interrupt();
    }
  }

  void freeze() {
    long pid = running().pid();
    Frozen.freeze(pid);
    thawWatch = watch(pid);
  }

  void thaw() {
    Frozen.thaw(running().pid());
    Process watch = thawWatch;
    if (watch != null) {
      watch.destroyForcibly();
      thawWatch = null;
    }
  }

  /** A frozen process cannot see the end of its parent: this one wakes it when the parent dies. */
  private static Process watch(long pid) {
    try {
      return new ProcessBuilder("sh", "-c", "cat > /dev/null; kill -CONT " + pid).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does not wait for its end. */
  void killNow() {
    Stream.of(Optional.ofNullable(process), Optional.ofNullable(thawWatch))
        .flatMap(Optional::stream)
        .forEach(Process::destroyForcibly);
  }

  /** Idempotent. */
  void close() {
    killNow();
    if (process != null) {
      awaitEnd();
    }
  }
}

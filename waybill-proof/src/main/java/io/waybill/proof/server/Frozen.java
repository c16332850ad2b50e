package io.waybill.proof.server;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Stops processes from running without ending them, as a long pause of the machine would. Methods
 * may be called by any thread.
 */
public final class Frozen {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(30));
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  // States of a thread in /proc: stopped, and ended.
  private static final String STANDS_STILL = "TZX";

  private Frozen() {}

  /**
   * Freezes a process. The signal alone is not enough: on a busy machine a process goes on for
   * tenths of a second, until the thread that was chosen to take the signal has its turn.
   *
   * @param pid the process
   * @throws IllegalStateException when it goes on for half a minute
   */
  public static void freeze(long pid) {
    signal("STOP", pid);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!standsStill(pid)) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("process " + pid + " does not stand still");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Lets a frozen process go on.
   *
   * @param pid the process
   */
  public static void thaw(long pid) {
    signal("CONT", pid);
  }

  static boolean standsStill(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.map(Frozen::state).allMatch(state -> STANDS_STILL.indexOf(state) >= 0);
    } catch (NoSuchFileException e) {
      return true; // It has ended.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** So has one that its parent has not yet asked about, which the JDK takes for alive. */
  static boolean hasEnded(long pid) {
    return "ZX".indexOf(state(Path.of("/proc", Long.toString(pid)))) >= 0;
  }

  /** It stands behind the name, which may have blanks and brackets of its own. */
  private static char state(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return 'X'; // It has ended since it was listed.
    }
  }

  static void signal(String name, long pid) {
    List<String> command = List.of("kill", "-" + name, Long.toString(pid));
    try {
      new ProcessBuilder(command).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClocksTest {
  @TempDir private Path folder;

  @Test
  void theTimeOfDayOfARunningProcessJumpsThereAndBackAndItsWaitsKeepTheirLength() throws Exception {
    Clocks clocks = new Clocks(folder);
    assumeThat(clocks.missing()).as("libfaketime").isEmpty();
    Path log = folder.resolve("watch.out");
    try (ProcessGuard guard = new ProcessGuard(Files.createDirectory(folder.resolve("guarded")))) {
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              TimeTeller.class.getName(),
              log.toString());
      guard.run("watch", clocks.environment("watch"), command);
      awaitOffset(log, 0);
      clocks.shift("watch", Duration.ofMinutes(-10));
      awaitOffset(log, -600);
      clocks.shift("watch", Duration.ofMinutes(15));
      awaitOffset(log, 900);
      clocks.shift("watch", Duration.ZERO);
      awaitOffset(log, 0);
    }
    assertThat(
            Files.readAllLines(log).stream()
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1))))
        .allMatch(millis -> millis >= TimeTeller.PAUSE_MILLIS);
  }

  @Test
  void withoutTheLibraryItSaysSoAndProcessesStartAsUsual() {
    Clocks clocks = new Clocks(folder, Optional.empty());

    assertThat(clocks.missing()).hasValue("the package libfaketime is not installed");
    assertThat(clocks.environment("relay-1")).isEmpty();
  }

  private static void awaitOffset(Path log, long seconds) {
    Awaitility.await("offset of " + seconds + " s")
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .until(() -> Files.exists(log) && Math.abs(seconds - offset(log)) <= 3);
  }

  private static long offset(Path log) throws Exception {
    List<String> lines = Files.readAllLines(log);
    String last = lines.isEmpty() ? "0 0" : lines.get(lines.size() - 1);
    long age = System.currentTimeMillis() - Files.getLastModifiedTime(log).toMillis();
    return lines.isEmpty()
        ? Long.MAX_VALUE
        : (Long.parseLong(last.substring(0, last.indexOf(' '))) + age - System.currentTimeMillis())
            / 1000;
  }

  /** Writes its time of day, and how long it really waited, again and again. */
  static final class TimeTeller {
    static final long PAUSE_MILLIS = 100;

    private TimeTeller() {}

    public static void main(String[] args) throws Exception {
      Object monitor = new Object();
      StringBuilder lines = new StringBuilder();
      while (true) {
        long begin = System.nanoTime();
        synchronized (monitor) {
          monitor.wait(PAUSE_MILLIS);
        }
        long waited = (System.nanoTime() - begin) / 1_000_000;
        lines.append(System.currentTimeMillis()).append(' ').append(waited).append('\n');
        Path draft = Path.of(args[0] + ".draft");
        Files.writeString(draft, lines);
        Files.move(draft, Path.of(args[0]), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }
}

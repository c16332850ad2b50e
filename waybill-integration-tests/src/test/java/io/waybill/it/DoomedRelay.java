package io.waybill.it;

import io.waybill.Waybill;
import io.waybill.proof.crash.Crash;
import io.waybill.proof.crash.CrashStep;
import io.waybill.proof.crash.CrashingPublisher;
import io.waybill.proof.crash.CrashingTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The process of a relay that kills itself at a step, with what was in flight in a file. */
final class DoomedRelay {
  private DoomedRelay() {}

  /**
   * Relays until the step is reached; SIGTERM stops it in order.
   *
   * @param arguments URL of the database, address of the broker, step, file to write
   */
  public static void main(String[] arguments) throws InterruptedException {
    Crash crash =
        new Crash(
            CrashStep.valueOf(arguments[2]), inFlight -> die(Path.of(arguments[3]), inFlight));
    Waybill relay =
        CrashRelays.start(
            "doomed",
            arguments[0],
            arguments[1],
            tables -> new CrashingTables(tables, crash),
            publisher -> new CrashingPublisher(publisher, crash));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> relay.stop(Duration.ofSeconds(15))));
    new CountDownLatch(1).await();
  }

  private static void die(Path file, int inFlight) {
    try {
      Files.writeString(file, Integer.toString(inFlight));
      String pid = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      // Another thread's interrupt must not let this one live on.
      Runtime.getRuntime().halt(1);
    }
  }
}

package io.waybill.torture;

import java.io.PrintStream;

/** What a run says, with the time since its begin. Thread-safe. */
final class RunLog {
  private final PrintStream out;
  private final long started = System.nanoTime();

  RunLog(PrintStream out) {
    this.out = out;
  }

  void say(String what) {
    long seconds = (System.nanoTime() - started) / 1_000_000_000;
    out.printf("%d:%02d %s%n", seconds / 60, seconds % 60, what);
  }
}

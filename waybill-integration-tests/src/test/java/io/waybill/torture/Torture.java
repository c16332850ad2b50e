package io.waybill.torture;

import io.waybill.proof.Interrupts;
import java.io.PrintStream;
import java.util.List;

/** The command behind {@code ./torture}. */
public final class Torture {
  private Torture() {}

  /**
   * Runs once and ends the process with the exit code of {@link #run}.
   *
   * @param args see {@link TortureOptions#USAGE}
   */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /**
   * Returns 0 only if the oracle holds, 1 if not, 2 for wrong usage, 70 if the run failed, and 130
   * if it was interrupted while the oracle held.
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    if (List.of(args).contains("--help")) {
      out.println(TortureOptions.USAGE);
      return 0;
    }
    TortureOptions options;
    try {
      options = TortureOptions.parse(args);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      err.println(TortureOptions.USAGE);
      err.println(e.getMessage());
      return 2;
    }
    Interrupts interrupts = new Interrupts();
    interrupts.listen();
    try {
      Outcome outcome =
          options.consumers()
              ? new ConsumerRun(options, out, interrupts).run()
              : new TortureRun(options, out, interrupts).run();
      show(out, outcome, options.json());
      return !outcome.holds() ? 1 : interrupts.asked() ? 130 : 0;
    } catch (Exception e) {
      err.println("torture: the run itself failed");
      e.printStackTrace(err);
      return 70;
    }
  }

  private static void show(PrintStream out, Outcome outcome, boolean json) {
    outcome.findings().forEach(finding -> out.println("FOUND: " + finding));
    out.printf(
        "%s, seed %d: %,d events, %d faults, %d kills: %s%n",
        outcome.pair(),
        outcome.seed(),
        outcome.events(),
        outcome.faults(),
        outcome.kills(),
        outcome.holds() ? "the oracle holds" : "BROKEN");
    if (json) {
      out.println(outcome.json());
    }
  }
}

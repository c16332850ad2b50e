package io.waybill.torture;

import io.waybill.testkit.Interrupts;

/** The command behind {@code ./torture}. */
public final class Torture {
  private Torture() {}

  /**
   * Runs once. Exit code 0 only if the oracle holds, 1 if not, 2 for wrong usage, 70 if the run
   * itself failed.
   *
   * @param args see {@link TortureOptions#USAGE}
   */
  public static void main(String[] args) {
    TortureOptions options;
    try {
      options = TortureOptions.parse(args);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      System.err.println(TortureOptions.USAGE);
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Interrupts interrupts = new Interrupts();
    interrupts.listen();
    int code = 70;
    try {
      Outcome outcome = new TortureRun(options, System.out, interrupts).run();
      show(outcome, options.json());
      code = outcome.holds() ? 0 : 1;
    } catch (Exception e) {
      System.err.println("torture: the run itself failed");
      e.printStackTrace(System.err);
    }
    System.exit(code);
  }

  private static void show(Outcome outcome, boolean json) {
    outcome.findings().forEach(finding -> System.out.println("FOUND: " + finding));
    System.out.printf(
        "%s, seed %d: %,d events, %d faults, %d kills: %s%n",
        outcome.pair(),
        outcome.seed(),
        outcome.events(),
        outcome.faults(),
        outcome.kills(),
        outcome.holds() ? "the oracle holds" : "BROKEN");
    if (json) {
      System.out.println(outcome.json());
    }
  }
}

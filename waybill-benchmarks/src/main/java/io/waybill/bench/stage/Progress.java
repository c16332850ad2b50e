package io.waybill.bench.stage;

import java.util.Locale;

/** Tells people on standard error how far a run is. */
public final class Progress {
  private Progress() {}

  /** How fast a candidate was in a round. */
  public static void show(
      Contender candidate, int round, Options options, double rate, String how) {
    show(
        String.format(
            Locale.ROOT,
            "round %d/%d  %-18s %-11s %,10.0f events/s",
            round,
            options.rounds(),
            candidate.label(),
            how,
            rate));
  }

  /** One line. */
  public static void show(String line) {
    System.err.println(line);
  }
}

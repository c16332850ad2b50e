package io.waybill.testkit.explore;

import java.io.PrintStream;

/** The command behind {@code ./explore}. */
public final class Explore {
  private Explore() {}

  /**
   * Explores.
   *
   * @param args options
   */
  public static void main(String[] args) {
    PrintStream out = System.out;
    int faults = Integer.parseInt(args[2]);
    long started = System.nanoTime();
    Scope scope = Scopes.named(args[0]).faults(faults);
    if (args.length > 3) {
      scope = scope.with(Protocol.valueOf(args[3]));
    }
    Exploration e = new Explorer(scope, Long.parseLong(args[1])).run();
    out.println(e.scope());
    out.printf(
        "states %d transitions %d engine %d depth %d complete %s %s  %.1f s%n",
        e.states(), e.transitions(), e.engineStates(), e.depth(), e.complete(), e.broken(),
        (System.nanoTime() - started) / 1e9);
    for (Action a : Action.values()) {
      out.print(a + "=" + e.actions()[a.ordinal()] + " ");
    }
    out.println();
    e.histories().forEach((p, h) -> { out.println("== " + p); h.forEach(l -> out.println("   " + l)); });
  }
}

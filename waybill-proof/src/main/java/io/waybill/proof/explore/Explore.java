package io.waybill.proof.explore;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The command behind {@code ./simulate --explore}. */
public final class Explore {
  private static final String USAGE =
      "usage: simulate --explore [--scope NAME] [--states N] [--faults N] [--protocol NAME]; ";

  // What 6 GB of memory are enough for.
  private static final long MOST_STATES = 3_000_000;

  private final Options options;
  private final PrintStream out;
  private long states;
  private long transitions;
  private boolean broken;

  private record Options(List<Scope> scopes, long most) {
    static Options of(String[] args) {
      List<Scope> scopes = new ArrayList<>(Scopes.ALL);
      long most = MOST_STATES;
      for (int i = 0; i < args.length; i += 2) {
        String value = i + 1 < args.length ? args[i + 1] : "";
        switch (args[i]) {
          case "--scope" -> {
            String name = Scopes.named(value).name();
            scopes.removeIf(scope -> !scope.name().equals(name));
          }
          case "--states" -> most = Long.parseLong(value);
          case "--faults" -> {
            int faults = Integer.parseInt(value);
            scopes.replaceAll(scope -> scope.faults(faults));
          }
          case "--protocol" -> {
            Protocol protocol = protocol(value);
            scopes.replaceAll(scope -> scope.with(protocol));
          }
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
      return new Options(scopes, most);
    }

    private static Protocol protocol(String name) {
      return Protocol.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }

  private Explore(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Explores and ends with 0, with 1 after a broken promise, with 2 after a wrong option.
   *
   * @param args {@code --scope NAME}, the only one (default: all); {@code --states N}, most states
   *     of each (default 3,000,000); {@code --faults N}, most faults of one history (default: the
   *     scope's own); {@code --protocol NAME}, another protocol than Waybill's, such as {@code
   *     insert-claim}
   */
  public static void main(String[] args) {
    System.exit(run(args, System.out));
  }

  static int run(String[] args, PrintStream out) {
    Options options;
    try {
      options = Options.of(args);
    } catch (IllegalArgumentException e) {
      out.println(USAGE + e.getMessage());
      return 2;
    }
    return new Explore(options, out).run() ? 0 : 1;
  }

  private boolean run() {
    for (Scope scope : options.scopes()) {
      long started = System.nanoTime();
      print(new Explorer(scope, options.most()).run(), (System.nanoTime() - started) / 1e9);
    }
    out.printf(Locale.ROOT, "%,d states, %,d transitions%n", states, transitions);
    out.println(broken ? "promises were broken" : "0 violations");
    return !broken;
  }

  private void print(Exploration shown, double seconds) {
    states += shown.states();
    transitions += shown.transitions();
    broken |= !shown.broken().isEmpty();
    Scope scope = shown.scope();
    out.printf(
        Locale.ROOT,
        "%s, %s: %,d states, %,d transitions, %,d states of an engine, depth %d, %d faults, %s,"
            + " %.0f s%n",
        scope.name(),
        scope.protocol().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        shown.states(),
        shown.transitions(),
        shown.engineStates(),
        shown.depth(),
        scope.faults(),
        shown.complete() ? "complete" : "ended early",
        seconds);
    shown
        .histories()
        .forEach(
            (promise, history) -> {
              out.println("  " + promise + ", " + shown.broken().get(promise) + " times, first:");
              history.forEach(line -> out.println("    " + line));
            });
  }
}

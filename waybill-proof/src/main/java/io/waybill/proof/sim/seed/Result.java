package io.waybill.proof.sim.seed;

import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run showed.
 *
 * @param seed the seed
 * @param hash over everything that happened, in order
 * @param events rows written by producers, committed or not
 * @param steps tasks carried out
 * @param virtualNanos simulated time
 * @param violation the broken promise, or null
 * @param trace the last of what happened, empty unless asked for
 */
public record Result(
    long seed,
    long hash,
    int events,
    long steps,
    long virtualNanos,
    @Nullable String violation,
    List<String> trace) {
  /**
   * Prints the last of a traced run.
   *
   * @param out gets it
   * @param lines how many of the trace at most
   */
  public void print(PrintStream out, int lines) {
    if (!trace.isEmpty()) {
      out.println("  " + trace.get(0));
    }
    for (int i = Math.max(1, trace.size() - lines); i < trace.size(); i++) {
      out.println("  " + trace.get(i));
    }
    out.println("seed " + seed + ": " + violation);
  }
}

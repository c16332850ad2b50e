package io.waybill.proof.sim.seed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A hash over everything that happened and, on request, the last of it as text. */
public final class Trace {
  private static final int LINES = 100_000;

  private final boolean text;
  private final Scheduler time;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private long hash = 1;

  /**
   * Nothing has happened yet.
   *
   * @param time of the run
   * @param text whether lines are kept
   */
  public Trace(Scheduler time, boolean text) {
    this.time = time;
    this.text = text;
  }

  /** Two numbers of what has happened now. */
  public void mix(long a, long b) {
    long mixed = (hash ^ a) * 0x9E3779B97F4A7C15L + b;
    hash = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L + time.now();
  }

  /** What has happened now, for people. */
  public void line(Supplier<String> line) {
    if (text) {
      if (lines.size() == LINES) {
        lines.poll();
      }
      lines.add(String.format("%10.3f ms  %s", time.now() / 1e6, line.get()));
    }
  }

  /** Over everything so far. */
  public long hash() {
    return hash;
  }

  /** The last lines, which the caller may change. */
  public List<String> lines() {
    return new ArrayList<>(lines);
  }
}

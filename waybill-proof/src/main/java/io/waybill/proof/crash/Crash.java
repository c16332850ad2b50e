package io.waybill.proof.crash;

import java.util.function.IntConsumer;

/**
 * Waits for one step and dies at it. From then on no thread gets past any step: what was in flight
 * at the death is what the death is told. Thread-safe.
 */
public final class Crash {
  private final CrashStep step;
  private final IntConsumer death;
  private int reached;
  private int inFlight;

  /**
   * Plans a death.
   *
   * @param step where
   * @param death ends the process and does not return; given the number of messages that were
   *     handed to the publisher and neither settled nor refused
   */
  public Crash(CrashStep step, IntConsumer death) {
    this.step = step;
    this.death = death;
  }

  /** Whoever dies holds the monitor for good, so everybody else stops at his next step. */
  synchronized void reached(CrashStep now) {
    if (now == step && ++reached == step.times()) {
      death.accept(inFlight);
      throw new IllegalStateException("The process survived its death at " + step);
    }
  }

  synchronized void sending() {
    inFlight++;
  }

  synchronized void settled(int rows) {
    inFlight -= rows;
  }
}

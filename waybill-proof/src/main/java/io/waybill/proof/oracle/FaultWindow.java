package io.waybill.proof.oracle;

/**
 * A fault that was injected.
 *
 * @param kind what it was, for example {@code relay-kill}
 * @param target whom it hit, for example {@code relay-2}
 * @param startMillis when it began, in milliseconds since the epoch
 * @param endMillis when it was over, or not before {@code startMillis} for one without length
 */
public record FaultWindow(String kind, String target, long startMillis, long endMillis) {
  /** Checks that it does not end before it begins. */
  public FaultWindow {
    if (endMillis < startMillis) {
      throw new IllegalArgumentException(
          kind + " must not end before it begins, lasts " + (endMillis - startMillis) + " ms");
    }
  }

  /**
   * Whether it and a span of time have a moment in common.
   *
   * @param fromMillis begin of the span
   * @param untilMillis end of the span
   * @return true if so
   */
  public boolean overlaps(long fromMillis, long untilMillis) {
    return startMillis <= untilMillis && endMillis >= fromMillis;
  }
}

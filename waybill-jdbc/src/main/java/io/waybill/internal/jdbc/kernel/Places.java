package io.waybill.internal.jdbc.kernel;

/** Rounds numbers of parameters, which keeps the number of different prepared statements low. */
public final class Places {
  private Places() {}

  /**
   * Number of parameters for a number of values.
   *
   * @param values number of values, at least 1
   * @return the next power of two
   */
  public static int padded(int values) {
    return values <= 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
  }
}

package io.waybill.jdbc.dialect;

/** Numbers of parameters, rounded so that few different statements are prepared. */
public final class Places {
  private Places() {}

  /**
   * Number of places for some values.
   *
   * @param values number of values, at least 1
   * @return the next power of two
   */
  public static int padded(int values) {
    return values <= 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
  }
}
